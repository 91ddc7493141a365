"""Row 16: orders to lists and to the house, and orders about the assistant herself.

Observed: models name the intent of a house order well and its function badly; an order whose verb and object both
stand in the function table needs no model at all. What the table does not know is left to the models.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Intent, Slots, Span
from routing.functions import FunctionMatch
from routing.grammars.base import Grammar, Match, group, group_span
from routing.lexicon import ASKING, PREPOSITIONS, SOFT, any_of, words_of
from routing.text import Utterance
from routing.times import find_times

_ADJECTIVE = re.compile(r"^\w+(?:ый|ий|ой|ая|яя|ое|ее|ую|юю|ые|ие|ого|его|ому|ему|ым|им|ом|ем|ых|их|ыми|ими|ей)$")
_INFINITIVE = re.compile(r"^\w+(?:ть|ти|чь|ться|тись|чься)$")
_SECOND = re.compile(r"^\w+(?:ешь|ишь|ёшь|ете|ите)$")
_COUNT = re.compile(
    r" (?P<n>(?:на|до|к|to|at|by) (?:\d\S*|(?:ноль|один|одн\S+|дв\S+|тр\S+|четыр\S+|пят\S+|шест\S+|сем\S+|восем\S+|восьм\S+|"
    r"девят\S+|девяно\S+|десят\S+|\S+надцат\S+|сорок\S*|ст[оа]|полтор\S+|половин\S+|минимум\S*|максимум\S*|полную|всю|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety|hundred|half|max|maximum|minimum|full))"
    r"(?: (?:один|одну|два|две|три|четыре|пять|шесть|семь|восемь|девять|one|two|three|four|five|six|seven|eight|nine))?"
    r"(?: (?:градус\S*|процент\S*|%|percent|degrees|единиц\S*|ступен\S*|мощность|громкость|минут\S*|час\S*|секунд\S*|minutes?|hours?))?) "
)
_MODAL = words_of("можешь можете мог могла могли сможешь сможете прошу попрошу просьба можно could can would will")
_LIST_FRONT = words_of("еще туда тоже также и а ну мне нам пожалуйста давай надо please also")


def _verb_form(word: str) -> str:
    """How a verb stands: "order", "infinitive" or "second" (a polite question: "включишь")."""
    word = word.removesuffix("-ка")
    if word.endswith(("шь", "шься")) and not word.endswith(("ешь", "режь")):
        return "second"
    if word.endswith("ешь") and len(word) > 5:
        return "second"
    if _INFINITIVE.match(word) and not word.endswith(("оставь", "рысть")):
        return "infinitive"
    return "order"


def addressed(utterance: Utterance, verb: int, first: int, timed: frozenset[int]) -> bool:
    """Whether the verb at word `verb` is an order to the listener. Words before `first`, the first word of the order,
    must be politeness, time or a room; an infinitive must stand alone or behind "можешь"."""
    words = utterance.words
    pre = [(i, word) for i, word in enumerate(words[:first]) if i not in timed]
    hard = [word for _, word in pre if word not in SOFT and word not in _MODAL]
    if any_of(words[:first], ASKING - {"когда", "when"}):
        return False
    form = _verb_form(words[verb])
    modal = any_of(words[:verb], _MODAL)
    negated = verb > 0 and words[verb - 1] in ("не", "never", "don't", "not", "dont", "нельзя", "ни", "won't", "cannot", "can't")
    if negated and not (form == "second" or words[max(0, verb - 2)] in _MODAL):
        return False
    if form == "second" and not (negated or utterance.question):
        return False
    if form == "infinitive" and not modal and hard:
        return False
    if "не" in hard and modal:
        hard.remove("не")
    if utterance.question and form == "infinitive" and not modal:
        return False
    return not hard or _is_room(words[:first], hard)


def _is_room(pre: Sequence[str], hard: Sequence[str]) -> bool:
    """Whether the words in front only say where ("в спальне свет выключи", "на кухне закрой окно")."""
    return pre[0] in ("в", "во", "на", "у", "in", "on", "at") and len(hard) <= 3 and not any(
        _verb_form(word) == "infinitive" for word in hard
    )


def _timed(utterance: Utterance, context: Context) -> tuple[frozenset[int], list[Span]]:
    spans = [(t.start, t.end) for t in find_times(utterance.raw, context.now, context.timezone)]
    out: set[int] = set()
    for span in spans:
        out.update(range(*utterance.words_of(span)))
    return frozenset(out), spans


def _joined(words: Sequence[str], first: int, last: int, timed: frozenset[int]) -> bool:
    """Whether words `first` to `last` may stand between a verb and its object: adjectives, rooms, politeness. A noun
    there is the real object ("закрой вопрос про окна")."""
    i = first
    while i < last:
        word = words[i]
        if word in SOFT or i in timed or _ADJECTIVE.match(word) or word[0].isdigit() or word in _BETWEEN:
            i += 1
        elif word in ("в", "во", "на", "у", "in", "on") and i + 1 < last:
            i += 2
        else:
            return False
    return True


_BETWEEN = words_of(
    "весь всю все свой свою мой мою мои наш нашу этот эту эти тот ту один одну два две оба обе три какую-нибудь какой-нибудь "
    "что-нибудь другой все-таки побольше поменьше немного чуть чуть-чуть режим all some this that these those your any both living dining "
    "front back kitchen bedroom bathroom hall hallway office garage up down on off little bit two three"
)


def _value(utterance: Utterance, after: int) -> Span | None:
    """The number of a setting, with its preposition ("на тридцать процентов")."""
    tail = " " + " ".join(utterance.words[after:]) + " "
    match = _COUNT.search(tail)
    if match is None:
        return None
    offset = sum(len(word) + 1 for word in utterance.words[:after])
    return utterance.span(offset + match.start("n"), offset + match.end("n"))


def _house(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if len(words) > 25:
        return None
    found = context.functions.resolve(words)
    if found is None:
        return None
    timed, _ = _timed(utterance, context)
    if not _is_house(found) or not _orders(utterance, found, timed):
        # the first of two requests ("открой шторы и включи свет"): the second may have read better
        cut = next((i for i in range(2, len(words) - 1) if words[i] in _THEN), 0)
        found = context.functions.resolve(words[:cut]) if cut else None
        if found is None or not _is_house(found) or not _orders(utterance, found, timed):
            return None
    spans: dict[str, Span] = {"fn": utterance.word_span(found.verb[0], found.verb[1] - 1)}
    if found.place is not None:
        first = _with_adjectives(words, found)
        spans["key"] = utterance.word_span(first, found.place[1] - 1)
    if found.name == "message.send" and found.place is not None:
        body = _body(words, found)
        if body is not None:
            spans["text"] = utterance.word_span(body[0], body[1] - 1)
    value = _value(utterance, found.verb[1])
    if value is not None and not found.name.startswith(("message.", "call.", "order.", "event.", "task.")):
        spans["value"] = value
    return Decision(
        Intent.ACT, slots=Slots.of(utterance.raw, spans, fn=found.name), claimant="house-act"
    )


_THEN = words_of("и а потом затем and then also плюс")
_NO_ADJECTIVE = words_of(
    "мне свой свою свое свои этот эту это эти мой мою мое мои наш нашу весь всю все сегодня please the a an my our this that these those some your "
    "пожалуйста какой-нибудь какую-нибудь любой любую еще их его ее ним ней нем им моей твоей"
)


def _is_house(found: FunctionMatch) -> bool:
    return not found.name.startswith(("list.", "praxis.", "reminder."))


def _with_adjectives(words: Sequence[str], found: FunctionMatch) -> int:
    """First word of the object with what qualifies it ("настольную лампу", "kitchen light")."""
    assert found.object is not None
    first = found.object[0]
    floor = found.verb[1] if found.verb[0] < first else 0
    while first > floor and words[first - 1] not in _NO_ADJECTIVE:
        word = words[first - 1]
        if _ADJECTIVE.match(word) and not word.isascii():
            first -= 1
        elif word.isascii() and word.isalpha() and word in _QUALIFIERS:
            first -= 1
        else:
            break
    return first


_QUALIFIERS = words_of(
    "kitchen bedroom bathroom living dining room hall hallway office garage front back porch night desk floor ceiling guest kids main nursery outdoor garden "
    "upstairs downstairs basement attic patio yard led big small left right reading table bedside"
)


def _body(words: Sequence[str], found: FunctionMatch) -> tuple[int, int] | None:
    """The words of a message: what follows the person, or what stands between the verb and the person."""
    assert found.object is not None
    first, last = found.object[1], len(words)
    while last > first and words[last - 1] in SOFT:
        last -= 1
    while first < last and words[first] in ("что", "чтобы", "пожалуйста", "that", "to", "мне", "от", "меня"):
        first += 1
    if first < last:
        return first, last
    first, last = found.verb[1], found.object[0]
    while first < last and (words[first] in SOFT or words[first] in PREPOSITIONS):
        first += 1
    while last > first and (words[last - 1] in PREPOSITIONS or words[last - 1] in SOFT):
        last -= 1
    return (first, last) if first < last else None


def _orders(utterance: Utterance, found: FunctionMatch, timed: frozenset[int]) -> bool:
    """Whether the utterance is the order that `found` reads in it."""
    words = utterance.words
    verb = found.verb[0]
    if found.object is None:
        # a verb that needs no object claims only where nothing but politeness, time and numbers stands around it
        rest = [w for i, w in enumerate(words) if i not in timed and not found.verb[0] <= i < found.verb[1]]
        if any(w not in SOFT and not w[0].isdigit() and w not in _MODAL for w in rest):
            return found.verb[1] - found.verb[0] > 1 and addressed(utterance, verb, verb, timed) and len(words) <= 6
        return addressed(utterance, verb, verb, timed) and not (utterance.question and len(words) == 1)
    thing, place = found.object, found.place or found.object
    first = min(verb, thing[0])
    if thing[0] < verb:
        between = _joined(words, place[1] if place[1] <= verb else thing[1], verb, timed)
        if not between or (words[thing[0] - 1 : thing[0]] and words[thing[0] - 1] in PREPOSITIONS - {"в", "на", "во", "у"}):
            return False
        while first > 0 and (_ADJECTIVE.match(words[first - 1]) or words[first - 1] in _BETWEEN):
            first -= 1
        if utterance.question and _verb_form(words[verb]) == "order" and words[-1] != words[verb]:
            return False
    elif not _joined(words, found.verb[1], thing[0], timed) and not _split(found, words):
        return False
    if not addressed(utterance, verb, first, timed):
        return False
    return not _about_the_thing(words, place[1], found.name)


def _split(found: FunctionMatch, words: Sequence[str]) -> bool:
    """Addressing a person takes words in between ("передай от меня маме привет")."""
    return found.name.startswith(("message.", "media.", "document.")) and found.object is not None and (
        found.object[0] - found.verb[1] <= 3
        and not any_of(words[found.verb[1] : found.object[0]], ASKING | words_of("про о об about of for для"))
    )


_ABSTRACT = words_of(
    "возможностей души сердца жизни прошлое будущее мир мудрости памяти надежды счастья тайны истины знаний мыслей разума "
    "памяти детства юности opportunity soul heart life past future wisdom hope knowledge mind"
)


def _about_the_thing(words: Sequence[str], at: int, name: str) -> bool:
    """A genitive of the soul behind the object makes it a figure ("открой окно возможностей")."""
    return name.startswith(("cover.", "lock.", "light.")) and any_of(words[at : at + 3], _ABSTRACT)


# --- lists -----------------------------------------------------------------------------------------------------

_LIST = (
    r"(?:мой |мои |наш |общий |этот |тот )?(?:спис(?:ок|ка|ке|ку|ки|ков|кам|ком)|корзин\S+|покупк\S+|чек-лист\S*|чеклист\S*|избранн\S+|"
    r"очеред\S+|вишлист\S*|туду-лист\S*)"
    r"(?: (?:покупок|продуктов|дел|желаний|задач|вещей|фильмов|книг|подарков|гостей|на \S+|для \S+|в \S+|лекарств|хозтоваров|"
    r"к \S+|по \S+|идей|сериалов|рецептов|расходов|материалов|любимого|просмотра|чтения|воспроизведения))?"
)
_ADD = (
    r"добавь(?:те)?(?:-ка)?|добавить|добавляй(?:те)?|добавишь|внеси(?:те)?|внести|впиши(?:те)?|вписать|допиши(?:те)?|дописать|занеси(?:те)?|занести|"
    r"запиши(?:те)?|записать|включи(?:те)?|включить|поставь(?:те)?|положи(?:те)?|положить|кинь(?:те)?|закинь(?:те)?|закинуть|докинь(?:те)?|пиши|помести|"
    r"отправь|докинуть|кинуть|накидай|напиши|вноси|приплюсуй|добавь-ка"
)
_DROP = (
    r"убери(?:те)?(?:-ка)?|убрать|удали(?:те)?|удалить|вычеркни(?:те)?|вычеркнуть|вычеркивай|вычеркиваем|сотри(?:те)?|стереть|исключи(?:те)?|исключить|"
    r"выкинь(?:те)?|выкинуть|сними(?:те)?|вытащи|зачеркни(?:те)?|выбрось|вычеркнешь|уберешь|удалишь"
)
_ADDING = re.compile(rf"^(?:{_ADD}|add|put|write|jot|append|include)$")
_DROPPING = re.compile(rf"^(?:{_DROP}|remove|take|delete|cross|strike|drop|scratch)$")
_LIST_EN = r"(?:\S+ ){0,2}?(?:list|cart|basket|groceries|queue|favorites|wishlist|checklist|shopping)"
_FRONT = r"^ (?:\S+ ){0,4}?"
_TASK_NOUN = r"задач[уи]|задание|таск|задачку|дело|тикет"


def _list(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    place = group_span(utterance, match, "fn")
    item = group_span(utterance, match, "text")
    if place is None:
        return None
    verb = utterance.words_of(place)[0]
    name = _list_function(words, verb, context)
    if name is None:
        return None
    names = match.re.groupindex
    key = group_span(utterance, match, "key") if "key" in names else None
    front = words[: min(verb, utterance.words_of(key)[0] if key else verb, utterance.words_of(item)[0] if item else verb)]
    if any(word not in SOFT and word not in _LIST_FRONT and word not in _MODAL for word in front):
        if not (front[-1:] and front[-1] in ("в", "из", "to", "from") and all(w in SOFT or w in _LIST_FRONT for w in front[:-1])):
            return None
    if words[verb - 1 : verb] == ["не"] and "мог" not in words and "могла" not in words and not utterance.question:
        return None
    if utterance.question and _verb_form(words[verb]) == "infinitive" and not any_of(words[:verb], _MODAL):
        return None
    if item is not None:
        item = _trimmed(utterance, item)
        if item is None:
            return None
    spans: dict[str, Span] = {"fn": place}
    if key is not None:
        spans["key"] = key
    if item is not None:
        spans["text"] = item
    return Decision(Intent.ACT, slots=Slots.of(utterance.raw, spans, fn=name), claimant="list-act")


def _list_function(words: Sequence[str], verb: int, context: Context) -> str | None:
    """The allowed function of a list frame whose verb is word `verb`."""
    found = context.functions.resolve(words)
    if found is not None and found.name.startswith(("list.", "task.")) and found.verb[0] == verb:
        return found.name
    name = "list.remove" if _DROPPING.match(words[verb]) else "list.add" if _ADDING.match(words[verb]) else None
    return name if name is not None and context.functions.allows(name) else None


def _trimmed(utterance: Utterance, span: Span) -> Span | None:
    """The entry without politeness at its edges; None where nothing is left."""
    a, b = utterance.words_of(span)
    words = utterance.words
    edge = SOFT - {"the"}
    while a < b and words[a] in edge:
        a += 1
    while b > a and words[b - 1] in edge:
        b -= 1
    if a >= b or any_of(words[a : a + 1], ASKING - {"что"}):
        return None
    return utterance.word_span(a, b - 1)


# --- herself ---------------------------------------------------------------------------------------------------

_END = r"(?: (?:пожалуйста|плиз|мавен|уже|ка|сейчас|наконец|please|maven|now|спасибо|thanks|ладно|а|милая|дорогая|немного|чуть|чуть-чуть|чуток))* $"
_BEFORE = r"^ (?:(?:пожалуйста|давай|все|а|так|ну|можешь|можно|ты|не мог бы ты|не могла бы ты|не могла бы|мне|please|can you|could you|just|now|would you|теперь|сейчас|больше) )*"
_SPEAK = r"говори(?:те|ть)?|разговаривай(?:те)?|разговаривать|отвечай(?:те)?|отвечать|общайся|вещай|speak|talk|answer|reply"
_HOW = (
    r"тише|потише|громче|погромче|медленнее|помедленнее|быстрее|побыстрее|короче|покороче|шепотом|вполголоса|спокойнее|разборчивее|четче|"
    r"внятнее|проще|попроще|подробнее|тихо|громко|медленно|не так громко|не так быстро|не так тихо|на полтона ниже|ровнее|вежливее|"
    r"louder|quieter|slower|faster|softer|softly|quietly|up|more slowly|more quietly|more loudly|clearly|more clearly|slowly|briefly|less|in a whisper"
)
_LANGUAGE = (
    r"(?:по-)?(?:русски|английски|немецки|французски|испански|китайски|украински|татарски|казахски|итальянски)|"
    r"по (?:русски|английски|немецки|французски|испански|китайски|украински)|"
    r"на (?:русском|английском|немецком|французском|испанском|китайском|украинском)(?: языке)?|"
    r"(?:in )?(?:russian|english|german|french|spanish|chinese|italian)"
)
_TO_LANGUAGE = r"(?:русский|английский|немецкий|французский|испанский|китайский|украинский)(?: язык)?|(?:russian|english|german|french|spanish|chinese)"
_SYSTEM = (
    # silence and stop
    r"(?:стоп|стой|хватит|довольно|замолчи|замолкни|помолчи|молчи|молчать|заткнись|тихо|тишина|цыц|умолкни|"
    r"прекрати|перестань|перестань (?:говорить|болтать|разговаривать|читать|отвечать)|хватит (?:говорить|болтать|разговаривать|читать|тарахтеть|трещать)|"
    r"прекрати (?:говорить|болтать|разговаривать|читать)|остановись|отбой|не (?:болтай|разговаривай|кричи|ори|шуми|перебивай|перебивай меня|говори так громко|"
    r"кричи так|говори ничего|отвечай|слушай нас|слушай|подслушивай)|помолчи (?:минутку|немного|пока)|"
    r"stop|stop (?:talking|it|speaking|reading|listening)|be quiet|quiet|shut up|hush|silence|enough|that's enough|stay quiet|don't (?:talk|shout|yell|interrupt)(?: me)?|stop that)",
    # repeat
    r"(?:повтори(?:те)?(?:-ка)?|повтори(?:те)? (?:еще раз|снова|это|последнее|последнюю фразу|что (?:ты )?сказала|ответ|медленнее|помедленнее|громче|что ты сейчас сказала|"
    r"вопрос|это еще раз|последний ответ|сказанное)|скажи (?:это )?(?:еще раз|снова|помедленнее|медленнее|громче|погромче|тише)|еще раз повтори|"
    r"повторить|repeat|repeat (?:that|it|yourself|the answer|what you said|again|that again|the last (?:answer|phrase|sentence|thing))|say (?:that|it) again|come again|"
    r"say (?:that|it) (?:slower|louder|again slowly|more slowly))",
    # how she speaks
    rf"(?:{_SPEAK}) (?:со мной |с нами |мне |with me |to me |a bit |a little |чуть |немного |чуть-чуть |чуточку |пожалуйста |please |еще |всегда |дальше |только |только со мной |больше )*"
    rf"(?:{_HOW}|{_LANGUAGE})",
    rf"(?:потише|тише|громче|медленнее) (?:говори|отвечай|разговаривай)(?:те)?",
    rf"(?:{_LANGUAGE}) (?:говори|отвечай|разговаривай)(?:те)?",
    r"(?:говори|отвечай|speak|talk) (?:мужским|женским|другим|обычным|своим|детским|нормальным|более низким|низким|in a (?:male|female|different|deeper|normal))"
    r"(?: голосом| voice| тоном)",
    r"(?:сделай|поставь|убавь|прибавь|уменьши|увеличь|настрой) (?:свой|свою|твой|себя) (?:голос|громкость|речь|скорость речи)?(?: ?(?:тише|потише|громче|погромче|"
    r"медленнее|быстрее|ниже|выше|помедленнее|побыстрее))?",
    r"(?:убавь|прибавь|уменьши|увеличь|сделай) (?:громкость|скорость) (?:своего |твоего |своей |твоей )?(?:голоса|речи)(?: (?:тише|громче|меньше|больше))?",
    r"(?:смени|поменяй|измени|переключи|change|switch) (?:свой |your |the )?(?:голос|язык|voice|language|тон|интонацию|accent|стиль общения|стиль ответов)"
    rf"(?: (?:на|to) (?:\S+|\S+ \S+))?",
    rf"(?:переключись|перейди|переходи|switch|change) (?:на|to|back to|обратно на) (?:{_TO_LANGUAGE}|ты|вы|шепот|текст|голос)",
    r"(?:включи|выключи|отключи|верни|use|turn on|turn off|enable|disable) (?:свой |твой |a |your |the )?(?:мужской |женский |male |female |свой |обычный )?"
    r"(?:голос|голосовые ответы|озвучку|озвучивание|voice|voice replies|speech|micro?phone of yours|звук своего голоса)",
    r"(?:обращайся|обращаться|называй|зови) (?:ко мне )?(?:на ты|на вы|меня (?:\S+|\S+ \S+)|по имени)",
    # modes and life cycle
    r"(?:перезапустись|перезагрузись|перезапуск|рестарт|выключись|отключись|включись|усни|засыпай|проснись|иди спать|ложись спать|обновись|сбрось настройки|сбросься|"
    r"перезагрузи себя|перезапусти себя|выключи себя|отключи себя|заверши работу|завершай работу|перезапустись полностью|"
    r"restart(?: yourself)?|reboot(?: yourself)?|shut (?:yourself )?down|go to sleep|wake up|turn yourself off|update yourself|reset yourself|power yourself down|mute yourself|unmute yourself|go silent|stop listening to (?:me|us))",
    r"(?:включи|выключи|отключи|перейди в|войди в|выйди из|активируй|вернись в|переключись в|enter|exit|switch to|go into|go to|turn on|turn off|leave) (?:свой |your |the )?"
    r"(?:режим тишины|тихий режим|режим молчания|беззвучный режим|режим инкогнито|режим разговора|режим диктовки|голосовой режим|текстовый режим|режим отладки|"
    r"режим не беспокоить|режим прослушивания|разговорный режим|режим переводчика|режим шепота|краткий режим|"
    r"quiet mode|silent mode|incognito mode|debug mode|voice mode|text mode|do not disturb(?: mode)?|whisper mode|conversation mode|brief mode|dictation mode|listening mode)",
    r"(?:не слушай(?: (?:меня|нас))?|перестань (?:слушать|подслушивать)(?: (?:меня|нас))?|слушай меня|хватит слушать|stop listening|don't listen)",
    r"забудь(?:те)? (?:последнее|это|все|последний (?:вопрос|ответ|разговор)|последнюю (?:фразу|реплику|запись|команду)|(?:то )?что я (?:только что |сейчас |последнее )?(?:сказал|сказала|говорил|говорила|просил|просила)|"
    r"последние (?:слова|две фразы|сообщения)|наш разговор|этот разговор|предыдущее|мои последние слова|все что я говорил[а]?|мой последний вопрос|последнее что я сказал[а]?)",
    r"forget (?:that|it|the last (?:thing|one|bit|message|question|command)(?: i said)?|what i (?:just )?said|this conversation|our conversation|everything i said|my last (?:message|question|words))",
    r"(?:очисти|сотри|удали|clear|erase|wipe|delete) (?:историю|историю (?:разговора|диалога|сообщений|чата)|контекст|наш диалог|диалог|наш разговор|"
    r"(?:the |our |this )?(?:conversation|chat|dialogue|context)(?: history)?)",
    r"(?:louder|quieter|slower|speak up|медленнее|помедленнее|погромче говори)",
)  # fmt: skip


def _system(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if utterance.question and not any_of(words, _MODAL):
        return None
    if group(match, "order") in ("стой", "тишина", "silence", "quiet") and len(words) > 2:
        return None
    return Decision(Intent.SYSTEM, claimant="system-control")


GRAMMARS = (
    Grammar("system-control", tuple(f"{_BEFORE}(?P<order>{order}){_END}" for order in _SYSTEM), _system),
    Grammar(
        "list-act",
        (
            rf"{_FRONT}(?P<fn>{_ADD}) (?P<text>\S.*?) (?:в|во|к|ко) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_ADD}) (?:мне |пожалуйста )?(?:в|во|к|ко) (?P<key>{_LIST}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}в (?P<key>{_LIST}) (?:мне |пожалуйста |еще )?(?P<fn>{_ADD}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<text>\S.*?) (?P<fn>{_ADD}) (?:пожалуйста )?(?:в|во|к|ко) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_DROP}) (?P<text>\S.*?) (?:из|с|со) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_DROP}) (?:из|с|со) (?P<key>{_LIST}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}из (?P<key>{_LIST}) (?P<fn>{_DROP}) (?P<text>\S.*?){_END}",
            rf"^ (?:\S+ ){{0,2}}?(?P<fn>вычеркни(?:те)?|вычеркнуть|зачеркни(?:те)?) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<fn>очисти(?:те)?|очистить|опустоши|обнули|сотри|удали|создай|заведи|создать|завести|начни) (?P<text>)?(?:новый |весь |полностью |целиком |мне )*(?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>add|put|write|jot down|append|include|throw|pop|stick) (?P<text>\S.*?) (?:to|on|onto|in|into) (?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>remove|take|delete|cross|strike|drop|scratch) (?P<text>\S.*?) (?:from|off|off of|out of) (?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>cross off|strike off|scratch off|cross out|take off|check off) (?P<text>\S.*?)(?: (?:from|off|on) (?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}))?{_END}",
            rf"{_FRONT}(?P<fn>clear|empty|wipe|create|make|start) (?P<text>)?(?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>добавь(?:те)?|создай(?:те)?|заведи(?:те)?|поставь(?:те)?|запиши(?:те)?|добавить|создать) (?:мне |пожалуйста |новую |новое |еще )*(?P<key>{_TASK_NOUN}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<fn>add|create|make|new) (?:a |an |new |the )*(?P<key>task|to-do|todo)(?: to| called| for me to|:)? (?P<text>\S.*?){_END}",
        ),
        _list,
    ),
    Grammar("house-act", (r"^ \S",), _house),
)  # fmt: skip
