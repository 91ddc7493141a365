"""The smallest application with the shape of the real one: a raw ASGI ingress, a child, Redis."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from ray import serve as ray_serve
from ray.serve import Application
from ray.serve.handle import DeploymentHandle

Asgi = Callable[[dict[str, Any], Any, Callable[[dict[str, Any]], Awaitable[None]]], Awaitable[None]]


@ray_serve.deployment(ray_actor_options={"num_cpus": 0.1})
class Child:
    async def __call__(self, text: str) -> dict[str, Any]:
        return {"echo": text}


@ray_serve.deployment(ray_actor_options={"num_cpus": 0.1})
@ray_serve.ingress()
class Ingress:
    def __init__(self, settings: dict[str, Any], child: DeploymentHandle[Any]) -> None:
        import redis.asyncio as redis

        self.settings = settings
        self.child = child
        self.redis = redis.from_url(settings["redis"]["url"], socket_connect_timeout=0.5, socket_timeout=0.5)

    def __serve_build_asgi_app__(self) -> Asgi:
        async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
            if scope["type"] != "http":
                return
            path = scope["path"]
            status, body = 200, await self.child.remote(path)
            if path.startswith("/count"):
                try:
                    body = {"count": await self.redis.incr("count")}
                except Exception as error:
                    status, body = 503, {"error": repr(error)}
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": json.dumps(body).encode()})

        return app


def build(settings: dict[str, Any]) -> Application:
    return Ingress.bind(settings, Child.bind())


def fail(settings: dict[str, Any]) -> Application:
    return Broken.bind()


@ray_serve.deployment(ray_actor_options={"num_cpus": 0.1})
class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no weights in this replica")
