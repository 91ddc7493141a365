"""The durable store of decisions: a Redis stream beside the ring, with retention by time and look-up by id.

Utterances are kept in clear, so what is kept is bounded by time and not by hope: every write trims, and so does a
timer from the start on, for a service that goes quiet. The record is compressed (8 KB of JSON with sixty claims is
0.7 KB), because a server with a memory cap holds it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from serve.schemas import TraceRecord
from serve.ulid import is_ulid, millis_of, ulid_at

log = logging.getLogger(__name__)

T = TypeVar("T")
DAY_MS = 86_400_000
TRIM_EVERY_S = 3_600.0
RETRY_S = 0.5
PAGE = 200
"""Records read at once by a search: 0.2 MB of answer, a few milliseconds of this process."""

_WRITE = """
local stream, index = KEYS[1], KEYS[2]
local oldest, oldest_id = ARGV[1], ARGV[2]
local last = 0
local newest = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)
if newest[1] then last = tonumber(string.match(newest[1][1], '^%d+')) end
for i = 3, #ARGV, 3 do
  local id, millis = ARGV[i], tonumber(ARGV[i + 1])
  local member = id .. ' '
  if #redis.call('ZRANGEBYLEX', index, '[' .. member, '[' .. member .. '~', 'LIMIT', 0, 1) == 0 then
    if millis < last then millis = last end
    last = millis
    local at = redis.pcall('XADD', stream, string.format('%.0f-*', millis), 'id', id, 'z', ARGV[i + 2])
    if type(at) == 'table' then at = redis.call('XADD', stream, '*', 'id', id, 'z', ARGV[i + 2]) end
    redis.call('ZADD', index, 0, member .. at)
  end
end
redis.call('ZREMRANGEBYLEX', index, '-', '(' .. oldest_id)
return redis.call('XTRIM', stream, 'MINID', '=', oldest)
"""
# A stream takes no id below the last it ever had, and replicas write out of order by milliseconds: such a record gets
# the last millisecond, or the server's next id. A record that is there already (the answer to the first try was
# lost) is left alone.

_decoder = msgspec.json.Decoder(TraceRecord)


class StoreUnavailable(RuntimeError):
    """Redis did not answer."""


def pack(record: TraceRecord) -> bytes:
    """A record as it is kept: JSON, compressed."""
    return zlib.compress(msgspec.json.encode(record), 1)


def unpack(data: bytes) -> TraceRecord:
    """The record that `pack` made `data` of."""
    return _decoder.decode(zlib.decompress(data))


async def asked(answer: Any) -> Any:
    """Redis' answer. Raises `StoreUnavailable` where there is none."""
    try:
        return await answer
    except (RedisError, OSError, TimeoutError) as error:
        raise StoreUnavailable(str(error) or type(error).__name__) from error


async def rewrite_file(redis: Redis) -> bool:
    """Ask the server to write its append-only file anew: until then what was removed stands in it. False where the
    server keeps no such file or does not let us ask."""
    try:
        kept: dict[Any, Any] = await redis.config_get("appendonly")
        if (kept.get("appendonly") or kept.get(b"appendonly")) not in ("yes", b"yes"):
            return False
        await redis.bgrewriteaof()
    except (RedisError, OSError, TimeoutError):
        return False
    return True


LADDER = "ladder"
"""Stands for the stage, and `dialogue` for the intent, of a turn that a rung before the cascade took."""


def stage_of(record: TraceRecord) -> str:
    """The stage that answered."""
    return LADDER if record.decision is None else record.decision.stage


def intent_of(record: TraceRecord) -> str:
    """The intent, or `clarify`, or `dialogue`."""
    return "dialogue" if record.decision is None else record.decision.intent or "clarify"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records a person wants to see; None and "" ask nothing. `stage` and `intent` are those of `stage_of` and
    `intent_of`."""

    stage: str | None = None
    intent: str | None = None
    clarify: bool | None = None
    disagree: bool | None = None
    text: str = ""

    def __bool__(self) -> bool:
        return self != Filter()

    def accepts(self, record: TraceRecord) -> bool:
        """Whether `record` is one of them."""
        if self.stage is not None and stage_of(record) != self.stage:
            return False
        intent = intent_of(record)
        if self.intent is not None and intent != self.intent:
            return False
        if self.clarify is not None and (intent == "clarify") != self.clarify:
            return False
        if self.disagree is not None:
            disagrees = record.shadow is not None and record.shadow.agrees is False
            if disagrees != self.disagree:
                return False
        return not self.text or self.text.casefold() in record.utterance.casefold()


class TraceStore:
    """Records for `retention_days`. `clock` gives seconds since the epoch."""

    def __init__(
        self, redis: Redis, *, prefix: str, retention_days: float, clock: Callable[[], float] = time.time
    ) -> None:
        self._redis = redis
        self.key = f"{prefix}routing_traces"
        self.index = f"{prefix}routing_trace_ids"
        self._retention_ms = round(retention_days * DAY_MS)
        self._clock = clock

    def add(self, pipe: Any, packed: Sequence[tuple[str, bytes]]) -> None:
        """Queue the writing of records (id, and what `pack` gave) and the trim into a pipeline: one script, so all of
        it or nothing."""
        oldest = max(0, round(self._clock() * 1e3) - self._retention_ms)
        values: list[Any] = [oldest, ulid_at(oldest, 0)]
        for trace_id, data in packed:
            values += [trace_id, millis_of(trace_id), data]
        pipe.eval(_WRITE, 2, self.key, self.index, *values)

    async def trim(self) -> int:
        """Remove what is too old; gives how many records went. Raises `StoreUnavailable`."""
        async with self._redis.pipeline(transaction=False) as pipe:
            self.add(pipe, ())
            return int((await asked(pipe.execute()))[0])

    async def keep_trimmed(self) -> None:
        """Trim now (until it succeeds once) and every hour, until cancelled. Once a day, and where the first trim
        removed something, the server is asked to rewrite its file, in which removed records still stand."""
        rewritten = self._clock()
        first = True
        while True:
            try:
                gone = await self.trim()
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
                continue
            if gone:
                log.info("trace: %d records were older than their retention", gone)
            if (first and gone) or self._clock() - rewritten >= DAY_MS / 1e3:
                rewritten = self._clock()
                await rewrite_file(self._redis)
            first = False
            await asyncio.sleep(TRIM_EVERY_S)

    async def find(self, trace_id: str) -> TraceRecord | None:
        """The record of `trace_id`, by the index. Raises `StoreUnavailable`."""
        if not is_ulid(trace_id):
            return None
        low, high = f"[{trace_id} ", f"[{trace_id} ~"
        members = await asked(self._redis.zrangebylex(self.index, low, high, start=0, num=1))
        if not members:
            return None
        at = members[0].split(b" ")[1]
        rows = await asked(self._redis.xrange(self.key, at, at, count=1))
        return unpack(rows[0][1][b"z"]) if rows else None

    async def walk(self, before: str | None = None) -> AsyncIterator[TraceRecord]:
        """Records, newest first, a page at a time. Raises `StoreUnavailable`."""
        end = before or "+"
        while True:
            rows = await asked(self._redis.xrevrange(self.key, end, "-", count=PAGE))
            for _, fields in rows:
                yield unpack(fields[b"z"])
            if len(rows) < PAGE:
                return
            end = f"({rows[-1][0].decode()}"

    async def search(self, wanted: Filter, *, limit: int, most: int = 5_000) -> list[TraceRecord]:
        """At most `limit` records that `wanted` accepts among the newest `most`, newest first. Raises
        `StoreUnavailable`."""
        found: list[TraceRecord] = []
        seen = 0
        async for record in self.walk():
            seen += 1
            if wanted.accepts(record):
                found.append(record)
            if len(found) >= limit or seen >= most:
                break
        return found

    async def count(self) -> int:
        """Records kept. Raises `StoreUnavailable`."""
        return int(await asked(self._redis.xlen(self.key)))
