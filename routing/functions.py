"""The allowlist: which functions an `act` may name, and how spoken words resolve to one.

A function is data: a name, verbs and object classes in each language. Russian words are given in their dictionary
form and expanded once, with `pymorphy3`, into every form they take (`routing.wordforms`); at run time a lookup is a
dictionary access a word. In a verb, `*` stands for one to `GAP` words in between: "сделай * громче", "turn * on".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from routing import wordforms

DEFAULT_PATH = Path(__file__).with_name("functions.yaml")
"""The built-in functions."""

GAP = 6
"""Most words that `*` stands for."""

LONGEST = 48
"""Most words of an utterance that an order is looked for in: verbs are paired with objects, which is quadratic."""

WordSpan = tuple[int, int]
"""Half-open range of word indexes."""


@dataclass(frozen=True)
class FunctionSpec:
    """One function. `verbs` and `objects` map a language to words or phrases as a person says them.

    Without `requires_object` the verb alone is enough ("поставь на паузу"); `alone` holds the phrases that are whole
    by themselves in a function that else requires one ("громкость на"). A function with no objects at all takes
    anything, so it never requires one.
    """

    name: str
    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    objects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requires_object: bool = True
    alone: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self._plain())

    def _plain(self) -> tuple[object, ...]:
        words = tuple(tuple(sorted(part.items())) for part in (self.verbs, self.objects, self.alone))
        return self.name, words, self.requires_object

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> FunctionSpec:
        """Read a mapping as it stands in YAML or in a request; `ValueError` where it is not one."""
        name = data.get("name")
        if not isinstance(name, str) or not name:
            raise ValueError("a function needs a name")
        unknown = set(data) - {"name", "verbs", "objects", "requires_object", "alone"}
        if unknown:
            raise ValueError(f"function {name}: no such field: {', '.join(sorted(unknown))}")
        return cls(
            name,
            _words(name, data.get("verbs")),
            _words(name, data.get("objects")),
            bool(data.get("requires_object", True)),
            _words(name, data.get("alone")),
        )


def _words(name: str, data: object) -> dict[str, tuple[str, ...]]:
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ValueError(f"function {name}: words are given for each language")
    out = {}
    for language, phrases in data.items():
        if language not in ("ru", "en") or isinstance(phrases, str) or not isinstance(phrases, Iterable):
            raise ValueError(f"function {name}: words are lists under ru and en")
        out[str(language)] = tuple(str(phrase) for phrase in phrases)
    return out


@lru_cache(maxsize=8)
def load_specs(path: str | Path = DEFAULT_PATH) -> tuple[FunctionSpec, ...]:
    """Specs of a YAML list; `ValueError` where an entry is none."""
    import yaml

    text = Path(path).read_text(encoding="utf-8")
    data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 -- both are safe
    if not isinstance(data, list):
        raise ValueError(f"{path}: a list of functions")
    return tuple(FunctionSpec.of(item) for item in data)


@dataclass(frozen=True, slots=True)
class FunctionMatch:
    """What the words resolve to. `verb` is the word range of the verb (its first piece where it is split), `object`
    of the thing, `place` of the thing with the room said right after it ("свет в спальне"), or of the thing alone."""

    name: str
    verb: WordSpan
    object: WordSpan | None
    place: WordSpan | None
    score: float


_NOTHING: frozenset[str] = frozenset()
_Rest = tuple[frozenset[str] | None, ...]


class _Phrases:
    """First word form → what must follow it (None: a gap) and the functions that it names, longest first."""

    def __init__(self, phrases: Mapping[tuple[frozenset[str] | None, ...], Iterable[int]]) -> None:
        self.starts: dict[str, list[tuple[_Rest, int, frozenset[int]]]] = {}
        for phrase in sorted(phrases, key=len, reverse=True):
            functions = frozenset(phrases[phrase])
            size = sum(part is not None for part in phrase)
            for word in phrase[0] or ():
                self.starts.setdefault(word, []).append((phrase[1:], size, functions))

    def all(self, words: Sequence[str]) -> list[tuple[int, int, int, frozenset[int]]]:
        """(first word, end of the first piece, words matched, functions) of every phrase in `words`."""
        found = []
        starts = self.starts
        for i, word in enumerate(words):
            if word in starts:
                for rest, size, functions in starts[word]:
                    if None in rest and (rest[-1] or _NOTHING).isdisjoint(words):
                        continue
                    end = _follows(words, i + 1, rest) if rest else i + 1
                    if end:
                        found.append((i, end, size, functions))
        return found


def _follows(words: Sequence[str], at: int, rest: _Rest) -> int:
    """End of the first piece where `rest` follows from word `at`; 0 where it does not."""
    for k, part in enumerate(rest):
        if part is None:
            tail = rest[k + 1 :]
            steps = range(at + 1, min(len(words), at + GAP + 1))
            return at if any(_follows(words, step, tail) for step in steps) else 0
        if at >= len(words) or words[at] not in part:
            return 0
        at += 1
    return at


class _Index:
    """Compiled lookup of a tuple of specs."""

    def __init__(self, specs: tuple[FunctionSpec, ...]) -> None:
        # what stands alone is one more entry of the same name, with no objects
        specs += tuple(FunctionSpec(spec.name, spec.alone) for spec in specs if spec.alone)
        self.names = tuple(spec.name for spec in specs)
        self.alone = frozenset(
            i for i, spec in enumerate(specs) if not spec.requires_object or not any(spec.objects.values())
        )
        verbs: dict[tuple[frozenset[str] | None, ...], set[int]] = {}
        objects: dict[tuple[frozenset[str] | None, ...], set[int]] = {}
        for i, spec in enumerate(specs):
            for language, phrases in spec.verbs.items():
                for phrase in phrases:
                    for parts in wordforms.verb(phrase, language):
                        verbs.setdefault(parts, set()).add(i)
            for language, phrases in spec.objects.items():
                for phrase in phrases:
                    for parts in wordforms.thing(phrase, language):
                        objects.setdefault(parts, set()).add(i)
        self.verbs = _Phrases(verbs)
        self.objects = _Phrases(objects)


class _Layer:
    """Specs whose words are expanded at the first use. One object for equal specs, whatever tables hold it."""

    def __init__(self, specs: tuple[FunctionSpec, ...]) -> None:
        self.specs = specs

    @cached_property
    def index(self) -> _Index:
        return _Index(self.specs)


@lru_cache(maxsize=64)
def _layer(specs: tuple[FunctionSpec, ...]) -> _Layer:
    return _Layer(specs)


_Rank = tuple[int, int, int, int, int]


class FunctionTable:
    """The functions of a turn. Building one costs nothing; words are expanded at the first `resolve`, once for the
    same specs in the whole process."""

    __slots__ = ("_allowed", "_hidden", "_layers", "names")

    def __init__(self, specs: Iterable[FunctionSpec] = (), names: Iterable[str] = ()) -> None:
        last = {spec.name: spec for spec in specs}
        self._layers: tuple[_Layer, ...] = (_layer(tuple(last.values())),) if last else ()
        self.names: tuple[str, ...] = tuple(dict.fromkeys([*last, *names]))
        self._allowed = frozenset(self.names)
        self._hidden: frozenset[str] = frozenset()

    @classmethod
    def default(cls, extra: Iterable[FunctionSpec | Mapping[str, Any]] = ()) -> FunctionTable:
        """The built-in functions, with `extra` added; the same name replaces."""
        return cls([*load_specs(), *map(_spec, extra)])

    def allows(self, name: str | None) -> bool:
        """Whether `name` is on the allowlist."""
        return name in self._allowed

    def restricted(self, functions: Iterable[str | FunctionSpec | Mapping[str, Any]]) -> FunctionTable:
        """The table of a request that brings its own list: a name picks a known function, or allows one that only a
        model can name; a spec adds or replaces one. `ValueError` where an entry is neither."""
        items = [item if isinstance(item, str) else _spec(item) for item in functions]
        own = tuple(item for item in items if isinstance(item, FunctionSpec))
        table = FunctionTable(names=(item if isinstance(item, str) else item.name for item in items))
        table._layers = (_layer(own), *self._layers) if own else self._layers
        table._hidden = frozenset(spec.name for spec in own)
        return table

    def prepare(self) -> None:
        """Expand the words now rather than at the first utterance."""
        for layer in self._layers:
            _ = layer.index
        wordforms.places()

    def resolve(self, words: Sequence[str]) -> FunctionMatch | None:
        """The function that `words` (normalised, as in `Utterance.words`) ask for, or None.

        The longest verb wins, then the thing nearest to it; a verb alone counts where its function allows that and
        nothing better is found.
        """
        words = words[:LONGEST]
        best: tuple[str, WordSpan, WordSpan | None] | None = None
        rank: _Rank = (0, 0, 0, 0, 0)
        for depth, layer in enumerate(self._layers):
            index = layer.index
            verbs = index.verbs.all(words)
            if not verbs:
                continue
            names = index.names
            hidden = self._hidden if depth else ()
            things = index.objects.all(words)
            for first, end, size, functions in verbs:
                for a, b, _, also in things:
                    # a word is not its own object ("пауза" is a verb of one function and a thing of another)
                    if a < end and b > first:
                        continue
                    distance = a - end if a >= end else first - b + 2
                    if (2 * size + 1, -distance, -first, b - a, 1) <= rank:
                        continue
                    f = self._first(functions & also, names, hidden)
                    if f >= 0 and (now := (2 * size + 1, -distance, -first, b - a, -f)) > rank:
                        best, rank = (names[f], (first, end), (a, b)), now
                if (now := (2 * size, -99, -first, 0, 0)) > rank:
                    f = self._first(functions & index.alone, names, hidden)
                    if f >= 0:
                        best, rank = (names[f], (first, end), None), now
        if best is None:
            return None
        name, verb, thing = best
        if thing is None:
            return FunctionMatch(name, verb, None, None, 0.6)
        return FunctionMatch(name, verb, thing, (thing[0], place_end(words, thing[1])), 1.0)

    def _first(self, functions: frozenset[int], names: Sequence[str], hidden: Collection[str]) -> int:
        """The allowed one of `functions` that stands first in its table; -1 where none is."""
        best = -1
        for f in functions:
            if (best < 0 or f < best) and names[f] in self._allowed and names[f] not in hidden:
                best = f
        return best


def _spec(item: FunctionSpec | Mapping[str, Any]) -> FunctionSpec:
    if isinstance(item, FunctionSpec):
        return item
    if not isinstance(item, Mapping):
        raise ValueError("a function is a name or a mapping")
    return FunctionSpec.of(item)


_PLACE_HEADS = frozenset(
    ["в", "во", "на", "у", "над", "под", "возле", "около", "за", "с", "со", "in", "on", "at", "of", "by", "near"]
)


def place_end(words: Sequence[str], at: int) -> int:
    """End of the room said from word `at` on ("в детской", "у меня в комнате"); `at` where there is none."""
    rooms, kinds = wordforms.places()
    end = at
    for _ in range(3):
        k = end
        if k + 1 < len(words) and words[k] == "у" and words[k + 1] in ("меня", "нас", "мамы", "сына", "дочки"):
            end = k + 2
            continue
        if k < len(words) and words[k] in _PLACE_HEADS:
            k += 1
            while k < len(words) and words[k] in kinds:
                k += 1
            if k < len(words) and words[k] in rooms:
                end = k + 1
                continue
        break
    return end
