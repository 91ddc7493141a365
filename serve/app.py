"""The ASGI application of the ingress: its parts, its lifespan, and the edge that every request passes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any

import redis.asyncio as aioredis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from starlette.applications import Starlette

from deployments.ingress import Asgi
from routing.cascade import Stage
from serve.edge import Edge
from serve.feed import Feed
from serve.heads import heads_path, heads_version, remote_heads
from serve.labels import LabelStore
from serve.metrics import Metrics
from serve.parts import Parts
from serve.remote_encoder import RemoteEncoder
from serve.routes import HANDLERS, ROUTES
from serve.service import Router
from serve.sessions import RedisSessions
from serve.settings import Redis, Settings
from serve.shadow import Shadow
from serve.trace_store import TraceStore
from serve.traces import TraceRing

log = logging.getLogger("maven_serve")


def redis_client(settings: Redis) -> aioredis.Redis:
    """A client that fails fast: a turn never waits longer for Redis than its timeouts say."""
    if settings.url is None:
        raise ValueError("redis.url is not set")
    client: aioredis.Redis = aioredis.from_url(
        settings.url,
        socket_connect_timeout=settings.connect_timeout_ms / 1e3,
        socket_timeout=settings.read_timeout_ms / 1e3,
        retry=Retry(NoBackoff(), 1),
        health_check_interval=0,
    )
    return client


def create(tree: dict[str, Any], handles: dict[str, Any]) -> Asgi:
    """The application for plain settings and the handles of the other deployments, by name."""
    settings = Settings.model_validate(tree)
    logging.basicConfig(level=settings.log.level)
    metrics = Metrics()
    encoder = RemoteEncoder(handles["embedder"], settings.models.encoder)
    redis = redis_client(settings.redis)
    prefix = settings.redis.prefix
    store = TraceStore(redis, prefix=prefix, retention_days=settings.trace.retention_days)
    ring = TraceRing(
        redis,
        prefix=settings.redis.prefix,
        size=settings.trace.ring,
        queue=settings.trace.queue,
        metrics=metrics,
        store=store if settings.trace.persist else None,
    )
    stages: dict[str, Stage] = {}
    versions: dict[str, str] = {}
    path = heads_path(settings)
    if path is not None and "heads" in handles:
        stages["heads"] = remote_heads(settings, path, handles["heads"])
        versions["heads"] = heads_version(path)
    router = Router(settings, encoder, encoder.describe, stages, versions)
    shadow = Shadow(router.route, settings.shadow, metrics)
    feed = Feed(redis, ring, metrics, life_s=max(1.0, settings.http.request_timeout_s - 2.0))
    labels = LabelStore(redis, prefix=prefix)
    sessions = RedisSessions(redis, prefix=prefix, ttl_s=settings.dialogue.ttl_s)
    probes: dict[str, Callable[[], Awaitable[Any]]] = {"embedder": encoder.describe, "redis": redis.ping}
    if "heads" in stages:
        probes["heads"] = handles["heads"].describe.remote
    parts = Parts(settings, router, encoder, redis, ring, metrics, store, labels, shadow, feed, sessions, probes)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        ring.start()
        tasks = [asyncio.create_task(_warm(parts)), asyncio.create_task(store.keep_trimmed())]
        yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await shadow.stop()
        await ring.stop()
        await feed.stop()
        await redis.aclose()

    app = Starlette(routes=ROUTES, lifespan=lifespan, exception_handlers=HANDLERS)
    app.state.parts = parts
    return Edge(app, settings.http, metrics)


async def _warm(parts: Parts) -> None:
    """Embed the seed phrases before the first turn needs them; until then the floor says that it failed."""
    began = perf_counter()
    while True:
        try:
            await parts.router.classifier()
        except Exception as error:  # the embedder may be starting: it is asked again until it answers
            if perf_counter() - began > 30:
                log.warning("the classifier is not ready: %s", error)
                began = perf_counter()
            await asyncio.sleep(0.5)
        else:
            parts.warm.set()
            return
