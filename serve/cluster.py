"""The application for a Serve config file, whose arguments are settings by section: configs/cluster.yaml."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from serve.launcher import DEFAULT_APPLICATION
from serve.settings import Settings, problems_of

if TYPE_CHECKING:
    from ray.serve import Application


def build(arguments: Mapping[str, Any]) -> Application:
    """The Serve application for partial settings; what is left out keeps its default.

    Raises ``ValueError`` with one line for each wrong field, and when ``redis.url`` is missing: on a cluster
    there is no launcher that would start an embedded server.
    """
    try:
        settings = Settings.model_validate(dict(arguments))
    except ValidationError as error:
        raise ValueError("\n".join(problems_of(error, "args"))) from None
    if settings.redis.url is None:
        raise ValueError("args: redis.url: must be set on a cluster")
    module, _, function = DEFAULT_APPLICATION.partition(":")
    application: Application = getattr(importlib.import_module(module), function)(settings.plain())
    return application
