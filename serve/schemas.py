"""What goes over the wire: requests and answers as msgspec structs, the one source of the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from models.arms import Arm

Utterance = Annotated[str, Meta(description="What was said, at most 2,000 characters.")]
Now = Annotated[
    str, Meta(description="The caller's instant, ISO 8601; without an offset it is on the zone's wall clock.")
]
Zone = Annotated[str, Meta(description="IANA time zone, such as Europe/Moscow.")]


class Words(Struct, forbid_unknown_fields=True):
    """Words in each language, as a person says them."""

    ru: list[str] = []
    en: list[str] = []


class FunctionDefinition(Struct, forbid_unknown_fields=True):
    """A function that this one request allows besides the configured ones."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.-]*$", max_length=64)]
    verbs: Words = msgspec.field(default_factory=Words)
    objects: Words = msgspec.field(default_factory=Words)


Functions = Annotated[
    list[str | FunctionDefinition],
    Meta(
        description="The functions an `act` may name in this request; none: the configured ones.",
        max_length=256,
    ),
]


class RouteRequest(Struct, forbid_unknown_fields=True):
    """One utterance to decide."""

    utterance: Utterance
    now: Now | None = None
    timezone: Zone | None = None
    functions: Functions | None = None
    arm: Arm | None = None
    trace: bool = False


class BatchRequest(Struct, forbid_unknown_fields=True):
    """Up to 256 requests, each decided for itself. A bare string is a request of that utterance alone."""

    utterances: list[Any] | UnsetType = UNSET
    requests: list[Any] | UnsetType = UNSET
    now: Now | None = None
    timezone: Zone | None = None
    functions: Functions | None = None
    arm: Arm | None = None


class SlotValues(Struct):
    """Literal spans of the utterance; `fn` is the name of an allowlisted function."""

    time: str | None = None
    fn: str | None = None
    key: str | None = None
    value: str | None = None
    text: str | None = None


class TimeValue(Struct):
    """The resolved time. `at` is null where the words name no instant; `recurrence` is an RFC 5545 rule."""

    at: str | None
    grain: str
    recurrence: str | None
    end: str | None = None


class DecisionValue(Struct):
    """What the utterance is."""

    intent: Literal["query", "fact", "note", "reminder", "act", "system", "chat"] | None
    source: str
    source_anchored: bool
    slots: SlotValues
    time: TimeValue | None
    stage: Literal["grammar", "heads", "resident", "classifier"]
    claimant: str
    confidence: float
    more: bool = False


class ClarifyValue(Struct):
    """Why the assistant must ask, as a stable identifier, and a question in the utterance's language."""

    reason: str
    question: str


class ClaimValue(Struct):
    """One claimant of a record."""

    claimant: str
    stage: str
    outcome: Literal["won", "declined", "outscored", "gated", "failed", "not_asked"]
    would_be: str | None
    score: float | None
    reason: str | None
    micros: float | None


class RouteResponse(Struct):
    """A decision. `decision.intent` is null exactly when `clarify` is not. `personal` is the personal boundary's
    probability that the question needs the owner's own records, where `walk` still holds `boundary`."""

    trace_id: str
    decision: DecisionValue
    clarify: ClarifyValue | None
    walk: list[str] | None
    missing: list[str]
    elapsed_ms: float
    personal: float | None = None
    trace: list[ClaimValue] | UnsetType = UNSET


class Problem(Struct):
    """RFC 9457 problem document."""

    type: str
    title: str
    status: int
    detail: str


class BatchItem(Struct):
    """One answer of a batch: a result or a problem, never both."""

    result: RouteResponse | None
    error: Problem | None


class BatchResponse(Struct):
    """Answers in the order of the requests."""

    results: list[BatchItem]


class EmbeddingsRequest(Struct):
    """OpenAI's embeddings request. `input_type` is ours: e5 embeds what is asked and what is searched apart."""

    input: str | list[str]
    model: str
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None
    user: str | None = None
    input_type: Literal["query", "passage"] = "query"


class Embedding(Struct):
    """One vector: a list of floats, or little-endian float32 in base64."""

    embedding: list[float] | str
    index: int
    object: str = "embedding"


class Usage(Struct):
    """Token counts."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingsResponse(Struct):
    """OpenAI's embeddings answer."""

    data: list[Embedding]
    model: str
    usage: Usage
    object: str = "list"


class ShadowValue(Struct):
    """What another arm made of the same turn, run after the answer. `decision` and `agrees` are null where that arm
    did not answer; `reason` then says why."""

    arm: str
    decision: DecisionValue | None
    agrees: bool | None
    elapsed_ms: float | None = None
    reason: str | None = None


class TraceRecord(Struct):
    """The whole record of one turn. `shadow` is null on turns that no other arm was run on,
    `decision` on turns that were only about the dialogue."""

    id: str
    at: str
    kind: str
    utterance: str
    arm: str
    decision: DecisionValue | None
    clarify: ClarifyValue | None
    claims: list[ClaimValue]
    elapsed_ms: float
    versions: dict[str, str]
    more: bool = False
    shadow: ShadowValue | None = None


class TraceList(Struct):
    """Records, newest first: the ring, or with a filter what the durable store holds."""

    traces: list[TraceRecord]


IntentName = Literal["query", "fact", "note", "reminder", "act", "system", "chat"]


class CorrectionRequest(Struct, forbid_unknown_fields=True):
    """A turn was wrong. `want` is the right intent, or null where it is only known to be wrong."""

    want: IntentName | None
    reach: Annotated[
        str, Meta(pattern=r"^[a-z][a-z0-9_-]*$", max_length=32, description="Where the correction came from.")
    ] = "api"


class Wiped(Struct):
    """What was removed, by kind. `rewritten` says that the server was told to rewrite its file without it."""

    wiped: dict[str, int]
    rewritten: bool


class Ready(Struct):
    """`degraded` maps the name of a part to what is wrong with it; empty when all is well."""

    ready: bool
    degraded: dict[str, str]
