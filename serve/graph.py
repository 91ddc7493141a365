"""The graph: which deployments there are, how much of the machine each asks for, and who calls whom."""

from __future__ import annotations

from typing import Any, cast

from ray.serve import Application, Deployment

from deployments.embedder import Embedder
from deployments.heads import Heads
from deployments.ingress import Ingress
from serve.app import create
from serve.heads import heads_path
from serve.settings import Settings

LIGHT = 0.1
"""Logical CPUs of a deployment: Serve asks for a whole one by default, and two cores would be full at two."""

HEADROOM = 64
"""Requests beyond the application's own limits that Serve lets through, so that a full queue is answered by the
application, with a problem document, and not by Serve."""


def _judge(deployment: object, replicas: int) -> Deployment:
    """A deployment that judges with weights; a replica of it that died is noticed within seconds."""
    return cast(Deployment, deployment).options(
        num_replicas=replicas,
        max_ongoing_requests=8,
        ray_actor_options={"num_cpus": LIGHT},
        health_check_period_s=2.0,
        health_check_timeout_s=5.0,
        graceful_shutdown_timeout_s=2.0,
    )


def build(tree: dict[str, Any]) -> Application:
    """The Serve application for plain settings (`Settings.plain`)."""
    settings = Settings.model_validate(tree)
    encoder = settings.models.encoder
    handles = {"embedder": _judge(Embedder, encoder.replicas).bind(str(settings.home), encoder.model_dump(mode="json"))}
    path = heads_path(settings)
    if path is not None:
        heads = settings.models.heads
        handles["heads"] = _judge(Heads, heads.replicas).bind(str(path), heads.model_dump(mode="json"))
    http = settings.http
    return (
        cast(Deployment, Ingress)
        .options(
            num_replicas=http.replicas,
            max_ongoing_requests=http.max_ongoing + http.max_queued + HEADROOM,
            ray_actor_options={"num_cpus": LIGHT},
            graceful_shutdown_timeout_s=2.0,
        )
        .bind(tree, create, handles)
    )
