"""The allowlist: words to functions, restricting it for a request, and what it costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from routing.functions import DEFAULT_PATH, FunctionSpec, FunctionTable, load_specs
from routing.text import Utterance

TABLE = FunctionTable.default()


def named(text: str, table: FunctionTable = TABLE) -> str | None:
    found = table.resolve(Utterance(text).words)
    return found.name if found is not None else None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("включи свет в спальне", "light.on"),
        ("свет на кухне выключи", "light.off"),
        ("включите все лампы", "light.on"),
        ("закрой шторы", "cover.close"),
        ("запри входную дверь", "lock.lock"),
        ("поставь тёплый пол на 25", "climate.set"),
        ("запусти робота-мойщика", "vacuum.start"),
        ("запусти робот мойщик", "vacuum.start"),
        ("сделай музыку погромче", "volume.up"),
        ("поставь на паузу", "media.pause"),
        ("поставь таймер на паузу", "timer.pause"),
        ("отмени таймер", "timer.cancel"),
        ("отмени напоминание", "reminder.cancel"),
        ("добавь молоко в список покупок", "list.add"),
        ("вычеркни хлеб", "list.remove"),
        ("добавь задачу", "task.create"),
        ("перенеси созвон на четыре", "event.move"),
        ("вызови такси", "order.taxi"),
        ("позвони маме", "call.start"),
        ("передай Лене привет", "message.send"),
        ("громкость на пять", "volume.set"),
        ("turn the kitchen light off", "light.off"),
        ("turn off the lights", "light.off"),
        ("put the kettle on", "appliance.on"),
        ("play some jazz", "media.play"),
        ("add milk to the shopping list", "list.add"),
        ("включи", None),
        ("поставь", None),
        ("громкость", None),
        ("расскажи про погоду", None),
        ("открой мне тайну", None),
        ("", None),
    ],
)
def test_resolves(text: str, name: str | None) -> None:
    assert named(text) == name


def test_spans_are_word_ranges() -> None:
    found = TABLE.resolve(Utterance("Мавен, выключи свет у меня в комнате").words)
    assert found is not None
    assert (found.verb, found.object, found.place) == ((0, 1), (1, 2), (1, 6))


def test_an_owner_adds_a_function() -> None:
    table = FunctionTable.default(
        [{"name": "fish.feed", "verbs": {"ru": ["покормить"]}, "objects": {"ru": ["рыбка", "золотая рыбка"]}}]
    )
    assert named("покорми золотую рыбку", table) == "fish.feed"
    assert named("включи свет", table) == "light.on"
    assert "fish.feed" in table.names


def test_a_request_restricts_and_adds() -> None:
    table = TABLE.restricted(["light.on", "door.bell", {"name": "fish.feed", "verbs": {"ru": ["покорми"]}}])
    assert named("включи свет", table) == "light.on"
    assert named("выключи свет", table) is None
    assert named("покорми рыбку", table) == "fish.feed"
    assert table.allows("door.bell")
    assert not table.allows("light.off")
    assert not table.allows(None)
    assert table.names == ("light.on", "door.bell", "fish.feed")


def test_a_spec_of_the_request_replaces_a_known_one() -> None:
    table = TABLE.restricted([{"name": "light.on", "verbs": {"ru": ["воссиять"]}, "objects": {"ru": ["свет"]}}])
    assert named("воссияй свет", table) == "light.on"
    assert named("включи свет", table) is None


def test_no_functions_at_all() -> None:
    assert named("включи свет", FunctionTable()) is None
    assert named("включи свет", TABLE.restricted([])) is None


@pytest.mark.parametrize(
    "bad", [{}, {"name": ""}, {"name": "x", "colour": 1}, {"name": "x", "verbs": {"ru": "включи"}}, 3]
)
def test_a_wrong_spec_is_an_error(bad: object) -> None:
    with pytest.raises(ValueError, match="function"):
        TABLE.restricted([bad])  # type: ignore[list-item]


def test_specs_are_hashable_and_equal_by_content() -> None:
    one = FunctionSpec.of({"name": "x", "verbs": {"ru": ["включи"]}})
    assert one == FunctionSpec.of({"name": "x", "verbs": {"ru": ["включи"]}})
    assert hash(one) == hash(FunctionSpec.of({"name": "x", "verbs": {"ru": ["включи"]}}))


def test_the_default_is_whole() -> None:
    names = [spec.name for spec in load_specs(DEFAULT_PATH)]
    assert len(names) == len(set(names))
    assert {"reminder.cancel", "praxis.attention", "praxis.drop", "media.pause", "light.on"} <= set(names)


def test_importing_routing_loads_no_dictionaries(tmp_path: Path) -> None:
    code = (
        "import sys, routing.functions, routing.grammars.acts, routing.guard, routing.slots, routing.gate;"
        "assert 'pymorphy3' not in sys.modules and 'yaml' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
