"""Sessions in Redis: one key a session, one round trip in and one out, and one winner.

A turn reads the session and the answer that its key may have got already, in one script; it is heard; then one
script writes the session, the answer and the effects in it, together or not at all, and only if nobody else wrote
the session meanwhile. The loser reads again and is heard again, so two turns of one session never both win, and a
claim of the repair pointer, which is part of the session, is in that same write.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from redis.asyncio import Redis
from redis.exceptions import RedisError

from routing.dialogue.session import Session, UnreadableSession, decode, encode

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_TRIES = 64
"""Times one turn is heard before the session counts as unavailable: more than ingress works on at once, and each
lost try means that another turn has won."""
ASIDE_S = 14 * 86_400
"""An unreadable session is kept for a person to look at so long, in seconds."""
_VERSION = 16
"""Length of a version: random, so that a session that was deleted and begun anew never repeats one."""
_UNREADABLE = b"!"

_LOAD = """
local kind = redis.call('TYPE', KEYS[1])['ok']
local session = false
if kind == 'string' then session = redis.call('GET', KEYS[1]) elseif kind ~= 'none' then session = '!' end
local answer = false
if KEYS[2] then answer = redis.call('GET', KEYS[2]) end
return {session, answer}
"""

# The client sends a script again where its reply was lost: a write that is there already has won.
_SAVE = """
local now = ''
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'string' then now = redis.call('GETRANGE', KEYS[1], 0, 15) elseif kind ~= 'none' then now = '!' end
if now == string.sub(ARGV[2], 1, 16) then return {1, false} end
if KEYS[2] then
  local answer = redis.call('GET', KEYS[2])
  if answer then return {2, answer} end
end
if now ~= ARGV[1] then return {0, false} end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3]) end
return {1, false}
"""

_ASIDE = """
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'none' then return 0 end
local now = '!'
if kind == 'string' then now = redis.call('GETRANGE', KEYS[1], 0, 15) end
if now ~= ARGV[1] then return 0 end
redis.call('RENAME', KEYS[1], KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
"""


class SessionsUnavailable(RuntimeError):
    """Redis did not answer, or the session could not be written. Nothing may be done for the turn but what needs no
    session; and not even that where it is `unknown` whether the turn was written, effects and all."""

    unknown = False


class KeyReused(ValueError):
    """The key of a turn was used for another utterance of this session."""


@dataclass(frozen=True, slots=True)
class Heard(Generic[T]):
    """What hearing a turn once came to: the session to keep, the answer to give and to keep, and whatever the caller
    wants back of the try that won."""

    session: Session
    answer: bytes
    result: T


@dataclass(frozen=True, slots=True)
class Committed(Generic[T]):
    """A turn that is written. `replayed` means that it was answered before: `answer` is the first one, `result` is
    None, and nothing was heard again. `tries` counts how often it was heard."""

    answer: bytes
    result: T | None
    replayed: bool
    tries: int


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Session
    version: bytes
    answer: bytes | None


class RedisSessions:
    """The sessions of one instance. A session silent for `ttl_s` seconds is forgotten, and with it its answers."""

    def __init__(self, redis: Redis, *, prefix: str, ttl_s: int) -> None:
        self._redis = redis
        self._prefix = prefix
        self._ttl_s = ttl_s
        self._load = redis.register_script(_LOAD)
        self._save = redis.register_script(_SAVE)
        self._aside = redis.register_script(_ASIDE)

    def key(self, session_id: str) -> str:
        """The key of a session. All keys of one session share a hash slot."""
        return f"{self._prefix}session:{{{quote(session_id, safe='')}}}"

    def answer_key(self, session_id: str, turn_id: str) -> str:
        """The key of the answer to one turn of a session."""
        return f"{self.key(session_id)}:turn:{quote(turn_id, safe='')}"

    async def transact(
        self,
        session_id: str,
        hear: Callable[[Session], Awaitable[Heard[T]]],
        *,
        turn_id: str | None = None,
        utterance: str = "",
    ) -> Committed[T]:
        """Hear one turn of a session and write what it came to.

        `hear` must have no effect of its own: it runs again where another turn wrote first. With a `turn_id`, a turn
        that was answered before is not heard: the first answer is given. Raises `SessionsUnavailable` where Redis
        does not answer or does not let the turn win, `KeyReused` where `turn_id` belonged to another utterance.
        """
        keys = [self.key(session_id)]
        if turn_id is not None:
            keys.append(self.answer_key(session_id, turn_id))
        mark = sha256(utterance.encode("utf-8", "surrogatepass")).digest()[:8]
        for tries in range(1, MAX_TRIES + 1):
            loaded = await self._read(keys)
            if loaded.answer is not None:
                return Committed(_first(loaded.answer, mark), None, True, tries - 1)
            heard = await hear(loaded.session)
            saved, answer = await self._write(keys, loaded.version, heard, mark)
            if saved == 1:
                return Committed(heard.answer, heard.result, False, tries)
            if saved == 2 and answer is not None:
                return Committed(_first(answer, mark), None, True, tries)
            # the winner is already done: only its neighbours in the same moment make the next try a race again
            await asyncio.sleep(secrets.randbelow(1 + min(tries, 8)) * 5e-4)
        raise SessionsUnavailable(f"another turn wrote first, {MAX_TRIES} times")

    async def load(self, session_id: str) -> Session:
        """The session as it is; a new one where there is none. Raises `SessionsUnavailable`."""
        return (await self._read([self.key(session_id)])).session

    async def forget(self, session_id: str) -> None:
        """Delete a session; its answers expire. Raises `SessionsUnavailable`."""
        await self._ask(self._redis.delete(self.key(session_id)))

    async def _read(self, keys: list[str]) -> _Loaded:
        stored, answer = await self._ask(self._load(keys=keys))
        if stored is None:
            return _Loaded(Session(), b"", answer)
        version = _UNREADABLE if stored == _UNREADABLE else stored[:_VERSION]
        try:
            if version == _UNREADABLE:
                raise UnreadableSession("the key holds another type")
            return _Loaded(decode(stored[_VERSION:]), version, answer)
        except UnreadableSession as error:
            aside = f"{keys[0]}:unreadable:{secrets.token_hex(4)}"
            log.error("session %s is unreadable and set aside as %s: %s", keys[0], aside, error)
            await self._ask(self._aside(keys=[keys[0], aside], args=[version, ASIDE_S]))
            return _Loaded(Session(), b"", answer)

    async def _write(self, keys: list[str], version: bytes, heard: Heard[Any], mark: bytes) -> tuple[int, bytes | None]:
        new = secrets.token_hex(_VERSION // 2).encode() + encode(heard.session)
        args: list[bytes | int] = [version, new, self._ttl_s, mark + heard.answer]
        try:
            saved, answer = await self._ask(self._save(keys=keys, args=args))
        except SessionsUnavailable as error:
            error.unknown = True
            raise
        return int(saved), answer

    async def _ask(self, asking: Awaitable[Any]) -> Any:
        try:
            return await asking
        except (RedisError, OSError, TimeoutError) as error:
            raise SessionsUnavailable(str(error) or type(error).__name__) from error


def _first(stored: bytes, mark: bytes) -> bytes:
    """The stored answer, where it is one to the same utterance."""
    if stored[: len(mark)] != mark:
        raise KeyReused("this turn_id was used for another utterance")
    return stored[len(mark) :]
