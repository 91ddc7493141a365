"""Closed word sets that several parts of routing read an order with. Words are normalised ("е" for "ё")."""

from __future__ import annotations

from collections.abc import Sequence


def words_of(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


SOFT = words_of(
    "мавен мейвен maven пожалуйста плиз пожалста ка ну уж уже же бы б мне нам меня нас ты вы тебя вас давай "
    "давайте быстро быстренько быстрее срочно сейчас теперь прямо тогда снова опять еще только просто там тут "
    "здесь тоже также и а да вот скорее скорей немедленно тихонько слушай слушайте короче так эй будь добра добр "
    "любезна добры любезны наконец наконец-то обязательно обязательно-то случайно бога ради спасибо милая дорогая "
    "ладно окей ок кстати заодно please kindly just now quickly right then again also and the a an my our me us "
    "ok okay hey so go ahead could can would will you thanks for asap immediately already hi hello"
)
"""Words that may surround an order without changing what is ordered."""

POLITE = words_of(
    "можешь можете мог могла могли сможешь сможете можно прошу попрошу просьба нужно надо пора хочу хотел хотела "
    "хотелось необходимо требуется давай давайте не трудно сложно если возможно очень could can would will might "
    "you like to want need i'd i let's"
)
"""Words in front of an infinitive that make it a request."""

ASKING = words_of(
    "как кто что где когда какой какая какое какие какую каком каких какого какому какой-то сколько куда откуда "
    "почему зачем чей чья чье чьи кого кому чем чего чему кем ком отчего насколько каков какова ли how who what "
    "where when which why whose whom what's who's where's when's how's"
)
"""Question words of both languages."""

PREPOSITIONS = words_of(
    "в во на у из с со к ко о об обо от до про при по за под над для через между без возле около in on at to from "
    "of with by for about under near"
)


def any_of(words: Sequence[str], lexicon: frozenset[str]) -> bool:
    """Whether a word of `lexicon` is among `words`."""
    return not lexicon.isdisjoint(words)
