"""The HTTP ingress as a Ray Serve deployment: a raw ASGI application and the cascade, in one process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ray import serve as ray_serve
from ray.serve.handle import DeploymentHandle

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

Factory = Callable[[dict[str, Any], dict[str, DeploymentHandle[Any]]], Asgi]
"""Builds the application from plain settings and the handles of the other deployments, by name. What it opens it
opens and closes in its own ASGI lifespan, which Serve runs around the replica's life."""


@ray_serve.deployment(name="ingress")
@ray_serve.ingress()
class Ingress:
    """Builds the application in its replica and serves it as it is.

    The application comes as a function, so that this layer does not import the one above it.
    """

    def __init__(self, settings: dict[str, Any], factory: Factory, handles: dict[str, DeploymentHandle[Any]]) -> None:
        self._application = factory(settings, handles)

    def __serve_build_asgi_app__(self) -> Asgi:
        return self._application
