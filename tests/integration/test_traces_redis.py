"""What is kept, on a real Valkey server (and no Ray): retention, look-up, loss, labels, the wipe, the live stream."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio as aioredis

from routing.decision import Intent
from routing.dialogue.labels import LabelRow
from serve.app import redis_client
from serve.feed import CLIENTS, WAITING, Feed
from serve.labels import LabelStore
from serve.metrics import Metrics
from serve.problems import HttpError
from serve.settings import Redis as RedisSettings
from serve.settings import Valkey as ValkeySettings
from serve.shadow import Shadow
from serve.trace_store import DAY_MS, Filter, TraceStore, pack
from serve.traces import TraceRing
from serve.valkey import Valkey
from serve.wipe import wipe
from tests.serve.fakes import settings
from tests.serve.records import disagreeing, record_of

pytestmark = pytest.mark.integration

PREFIX = "maven-test:"
NOW = 1_800_000_000.0
DAY_S = 86_400.0


def valkey_at(home: Path) -> Valkey:
    return Valkey(home / "data", home / "v.sock", home / "valkey.log", ValkeySettings())


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mvt") as folder:  # short: a socket's path has 107 bytes at most
        yield Path(folder)


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Valkey]:
    valkey = valkey_at(home)
    valkey.start()
    yield valkey
    valkey.stop()


@pytest.fixture
async def redis(server: Valkey) -> AsyncIterator[aioredis.Redis]:
    client = redis_client(RedisSettings(url=server.url))
    await client.flushdb()
    yield client
    await client.aclose()


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def store_of(redis: aioredis.Redis, clock: Clock | None = None) -> TraceStore:
    return TraceStore(redis, prefix=PREFIX, retention_days=14.0, clock=clock or Clock())


def ring_of(redis: aioredis.Redis, store: TraceStore | None, *, queue: int = 1_000, size: int = 25) -> TraceRing:
    return TraceRing(redis, prefix=PREFIX, size=size, queue=queue, metrics=Metrics(), store=store)


def count(ring: TraceRing, name: str) -> int:
    return int(getattr(ring._metrics, name)._value.get())


async def write(store: TraceStore, *records: Any) -> None:
    async with store._redis.pipeline(transaction=False) as pipe:
        store.add(pipe, [(record.id, pack(record)) for record in records])
        await pipe.execute()


async def drained(ring: TraceRing, timeout_s: float = 20.0) -> None:
    async with asyncio.timeout(timeout_s):
        await ring.written()


async def test_a_write_keeps_thirteen_days_and_removes_fourteen(redis: aioredis.Redis) -> None:
    clock = Clock()
    store = store_of(redis, clock)
    first, second = record_of(at=NOW), record_of(at=NOW + 600)
    await write(store, first)
    clock.now = NOW + 600
    await write(store, second)

    clock.now = NOW + 14 * DAY_S - 3_600  # the first is 13 days and 23 hours old
    third = record_of(at=clock.now)
    await write(store, third)
    assert [await store.find(r.id) for r in (first, second, third)] == [first, second, third]

    clock.now = NOW + 14 * DAY_S + 1
    fourth = record_of(at=clock.now)
    await write(store, fourth)
    assert await store.find(first.id) is None
    assert [r.id async for r in store.walk()] == [fourth.id, third.id, second.id]
    assert await redis.zcard(store.index) == 3


async def test_the_trim_is_exact_to_the_millisecond_at_start_and_on_a_quiet_service(redis: aioredis.Redis) -> None:
    clock = Clock()
    store = store_of(redis, clock)
    await write(store, *(record_of(at=NOW + i / 1e3) for i in range(10)))
    clock.now = NOW + (14 * DAY_MS + 5) / 1e3  # those of before NOW + 5 ms are older
    rewrites = (await redis.info("persistence"))["aof_rewrites"]
    task = asyncio.create_task(store.keep_trimmed())  # what the application starts, and nobody writes
    async with asyncio.timeout(5):
        while await redis.zcard(store.index) != 5:
            await asyncio.sleep(0.01)
    assert await store.count() == 5
    async with asyncio.timeout(5):
        while (await redis.info("persistence"))["aof_rewrites"] == rewrites:  # the file still had the old ones
            await asyncio.sleep(0.05)
    task.cancel()


async def test_a_record_is_found_by_its_id_long_after_the_ring_forgot_it(redis: aioredis.Redis) -> None:
    store = store_of(redis)
    ring = ring_of(redis, store, size=5)
    ring.start()
    records = [record_of(f"реплика {i}", at=NOW + i / 1e3) for i in range(600)]
    for record in records:
        ring.put(lambda record=record: record)
    await drained(ring)
    assert [r.id for r in await ring.newest()] == [r.id for r in reversed(records[-5:])]
    for record in (records[0], records[299], records[599]):
        assert await ring.find(record.id) == record
    assert await ring.find("nothing") is None
    assert await ring.find(record_of(at=NOW).id) is None  # the same instant, another turn
    await ring.stop()


async def test_two_replicas_that_write_out_of_order_lose_nothing(redis: aioredis.Redis) -> None:
    store = store_of(redis)
    late, early = record_of(at=NOW + 5), record_of(at=NOW)
    await write(store, late)
    await write(store, early)
    await write(store, early)  # the answer to the first try was lost: written again, kept once
    assert [await store.find(r.id) for r in (late, early)] == [late, early]
    assert await store.count() == 2
    await redis.xtrim(store.key, maxlen=0)
    before = record_of(at=NOW - 60)
    await write(store, before)  # an empty stream still takes no id below its last
    assert await store.find(before.id) == before


async def test_filters_look_through_everything_that_is_kept(redis: aioredis.Redis) -> None:
    store = store_of(redis)
    await write(
        store,
        record_of("что такое кварк", at=NOW),
        record_of("а что там", at=NOW + 1, shadow=disagreeing()),
        record_of("Напомни про хлеб", at=NOW + 2, intent="reminder", source="", stage="heads", claimant="heads"),
        record_of("ну это", at=NOW + 3, intent=None, source="", claimant="ambiguous-fragment"),
        *(record_of(f"ещё {i}", at=NOW + 10 + i) for i in range(450)),
    )

    async def found(**fields: Any) -> list[str]:
        records = await store.search(Filter(**fields), limit=10)
        return [r.utterance for r in records if not r.utterance.startswith("ещё")]

    assert await found(disagree=True) == ["а что там"]
    assert await found(intent="reminder") == ["Напомни про хлеб"]
    assert await found(stage="heads") == ["Напомни про хлеб"]
    assert await found(intent="clarify") == await found(clarify=True) == ["ну это"]
    assert await found(text="ХЛЕБ") == ["Напомни про хлеб"]
    assert len(await store.search(Filter(text="ещё"), limit=10)) == 10


@pytest.mark.parametrize("how", ["stopped", "killed", "hung"])
async def test_ten_thousand_turns_with_redis_gone_for_five_seconds(how: str) -> None:
    with tempfile.TemporaryDirectory(prefix="mvt") as folder:
        servers = [valkey_at(Path(folder))]
        servers[0].start()
        client = redis_client(RedisSettings(url=servers[0].url))
        try:
            await ten_thousand_turns(Path(folder), servers, client, how)
        finally:
            await client.aclose()
            servers[-1].stop()


async def ten_thousand_turns(home: Path, servers: list[Valkey], redis: aioredis.Redis, how: str) -> None:
    queue = 500
    store = store_of(redis)
    ring = ring_of(redis, store, queue=queue)
    ring.start()
    most = 0
    pid = servers[0].pid
    assert pid is not None

    async def outage() -> None:
        if how == "hung":
            os.kill(pid, signal.SIGSTOP)
            await asyncio.sleep(5)
            os.kill(pid, signal.SIGCONT)
            return
        if how == "killed":
            os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(servers[0].stop)
        await asyncio.sleep(5)
        servers.append(valkey_at(home))
        await asyncio.to_thread(servers[-1].start)

    hurt: asyncio.Task[None] | None = None
    ids = []
    for i in range(10_000):
        record = record_of(at=NOW + i / 1e3)
        ids.append(record.id)
        ring.put(lambda record=record: record)
        most = max(most, ring.held)
        if i == 4_000:
            hurt = asyncio.create_task(outage())
        if i % 10 == 0:
            await asyncio.sleep(0.008)
    assert hurt is not None
    await hurt
    await drained(ring, 60)
    lost, written = count(ring, "trace_lost"), count(ring, "trace_written")
    assert lost + written == 10_000
    assert lost > 0
    assert most <= queue
    kept = {r.id async for r in store.walk()}
    assert kept <= set(ids)
    assert len(kept) == await store.count() == written  # exact: what was not counted as lost is there, once
    await ring.stop()


async def test_with_persist_off_only_the_ring_is_written(redis: aioredis.Redis) -> None:
    ring = ring_of(redis, None)
    ring.start()
    record = record_of()
    ring.put(lambda: record)
    await drained(ring)
    await ring.stop()
    assert [key.decode() for key in await redis.keys("*")] == [f"{PREFIX}ring"]
    assert await ring.find(record.id) == record


async def test_labels_are_kept_once_a_turn_in_order_and_without_expiry(redis: aioredis.Redis) -> None:
    labels = LabelStore(redis, prefix=PREFIX)
    record = record_of()

    def row(want: Intent | None, when: str, trace_id: str = "") -> LabelRow:
        return LabelRow("что такое кварк", "query", want, when, "api", {"grammars": "x"}, trace_id)

    await labels.add(row(None, "2027-01-02T00:00:00Z", record.id))
    await labels.add(row(Intent.NOTE, "2027-01-03T00:00:00Z", record.id))
    await labels.add(row(Intent.CHAT, "2027-01-01T00:00:00Z"))
    assert [(r.want, r.when[9]) for r in await labels.all()] == [(Intent.CHAT, "1"), (Intent.NOTE, "3")]
    assert await redis.ttl(labels.key) == -1
    got = await labels.get(record.id)
    assert got is not None
    assert got.want is Intent.NOTE


async def test_the_wipe_leaves_no_key_of_ours_and_every_key_of_others(
    server: Valkey, redis: aioredis.Redis, tmp_path: Path
) -> None:
    prefix = "mav[e]n*:"  # a prefix is text, whatever it means in a pattern
    store = TraceStore(redis, prefix=prefix, retention_days=14.0, clock=Clock())
    metrics = Metrics()
    ring = TraceRing(redis, prefix=prefix, size=25, queue=100, metrics=metrics, store=store)
    ring.start()
    said = "пароль от сейфа 4582 никому не говори"
    for i in range(40):
        ring.put(lambda i=i: record_of(said, at=NOW + i))
    await drained(ring)
    await LabelStore(redis, prefix=prefix).add(LabelRow(said, "query", None, "2027-01-01", "api"))
    for i in range(1_500):
        await redis.set(f"{prefix}session:{i}", said)
    await redis.set(f"{prefix}else", "1")
    await redis.set("maven:other", "1")

    async def route(*_: Any) -> Any:
        raise AssertionError

    shadow = Shadow(route, settings(tmp_path).shadow, metrics)
    ring.put(lambda: record_of(said, at=NOW))  # waits in memory
    done = await wipe(redis, prefix, ring, shadow)
    assert done.wiped == {"traces": 40, "ring": 25, "labels": 1, "sessions": 1_500, "other": 1, "waiting": 1}
    await asyncio.sleep(0.2)
    assert [key.decode() for key in await redis.keys("*")] == ["maven:other"]
    assert done.rewritten

    def on_disk() -> bool:
        files = [path for path in server._data.rglob("*") if path.is_file()]
        return any(said.encode() in path.read_bytes() for path in files)

    async with asyncio.timeout(10):
        while on_disk():  # the append-only file is written anew in the background
            await asyncio.sleep(0.05)
    await ring.stop()


async def test_the_live_stream_is_bounded_and_a_client_that_leaves_is_freed(redis: aioredis.Redis) -> None:
    store = store_of(redis)
    ring = ring_of(redis, store, size=WAITING)
    ring.start()
    feed = Feed(redis, ring, ring._metrics)
    events = feed.watch()
    assert await anext(events) == b"retry: 500\n\n"
    slow = feed.watch()
    await anext(slow)
    await asyncio.sleep(0.1)
    record = record_of("живая реплика <b>")
    ring.put(lambda: record)
    async with asyncio.timeout(3):
        event = await anext(events)
    name, number, body, *_ = event.decode().split("\n")
    assert (name, number) == ("event: record", f"id: {record.id}")
    assert json.loads(body.removeprefix("data: "))["utterance"] == "живая реплика <b>"

    for _ in range(3):  # more than a client that does not read may hold
        for i in range(WAITING):
            ring.put(lambda i=i: record_of(at=NOW + i))
        await drained(ring)
        await asyncio.sleep(0.4)
    client = max(feed._clients, key=lambda client: client.missed)
    assert len(client.events) == WAITING
    async with asyncio.timeout(3):
        assert (await anext(slow)).startswith(b"event: missed\ndata: ")

    for stream in (events, slow):
        await stream.aclose()  # type: ignore[attr-defined]
    assert not feed._clients
    async with asyncio.timeout(3):
        while feed._task is not None and not feed._task.done():  # nobody watches: nobody reads
            await asyncio.sleep(0.05)

    many = [feed.watch() for _ in range(CLIENTS)]
    for stream in many:
        await anext(stream)
    with pytest.raises(HttpError, match="watch already"):
        feed.watch()
    await feed.stop()
    for stream in many:
        assert [event async for event in stream] == []
    assert not feed._clients
    await ring.stop()


async def test_a_stream_ends_in_time_and_goes_on_where_it_was(redis: aioredis.Redis) -> None:
    ring = ring_of(redis, None)
    ring.start()
    records = [record_of(at=NOW + i) for i in range(4)]
    for record in records:
        ring.put(lambda record=record: record)
    await drained(ring)
    feed = Feed(redis, ring, ring._metrics, life_s=0.3)

    async def heard(after: str | None) -> list[str]:
        async with asyncio.timeout(5):
            events = [event.decode().split("\n") async for event in feed.watch(after)]
        return [lines[1].removeprefix("id: ") for lines in events if lines[0] == "event: record"]

    assert await heard(records[1].id) == [records[2].id, records[3].id]
    assert await heard(None) == await heard("nothing") == await heard(records[3].id) == []
    assert not feed._clients
    await feed.stop()
    await ring.stop()
