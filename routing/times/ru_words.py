"""Russian words of time in all their forms, "ё" as "е"."""

from __future__ import annotations

from routing.times.model import DAY, HOUR, MINUTE, MONTH, SECOND, WEEK, YEAR, Amount, forms, ordered


def _table(rows: str) -> dict[str, str]:
    """Form to name, from lines of "name: form form form"."""
    out = {}
    for row in rows.strip().splitlines():
        name, listed = row.split(":")
        out.update(dict.fromkeys(listed.split(), name.strip()))
    return out


UNITS: dict[str, str] = _table("""
second: секунда секунды секунд секунду секунде секундой секундам секундочку секундочек секундочки сек
minute: минута минуты минут минуту минуте минутой минутам минутку минутки минуток минуточку минуточки мин
hour: час часа часов часу часе часом часам часик часика часиков часок ч
day: день дня дни дней дню дням денек денька деньков сутки суток суткам
week: неделя недели недель неделю неделе неделей неделям недельку недельки неделек
month: месяц месяца месяцев месяцу месяце месяцам месяцок
quarter: квартал квартала кварталов квартале
year: год года лет году годам годик годика годиков
""")
"""Form of a unit of time to its grain ("quarter" besides)."""

ONE = forms(
    "секунду секундочку сек минуту минутку минуточку час часик часок день денек сутки неделю недельку "
    "месяц месяцок квартал год годик"
)
"""Forms in which a unit alone is one of it, after "через" and "на"."""

SIZES: dict[str, tuple[int, int, int, str]] = {
    "second": (0, 0, 1, SECOND),
    "minute": (0, 0, 60, MINUTE),
    "hour": (0, 0, 3600, HOUR),
    "day": (0, 1, 0, DAY),
    "week": (0, 7, 0, WEEK),
    "month": (1, 0, 0, MONTH),
    "quarter": (3, 0, 0, MONTH),
    "year": (12, 0, 0, YEAR),
}
"""A unit in months, days, seconds, and its grain."""

HALVES: dict[str, Amount] = {
    **dict.fromkeys(("полчаса", "полчасика", "получаса"), (0, 0, 1800, MINUTE, False)),
    **dict.fromkeys(("полминуты", "полминутки", "полминуточки"), (0, 0, 30, SECOND, False)),
    **dict.fromkeys(("полгода", "полугода", "полугодие"), (6, 0, 0, MONTH, False)),
    **dict.fromkeys(("полдня", "полсуток"), (0, 0, 43200, HOUR, False)),
    "полмесяца": (0, 15, 0, DAY, False),
}
"""Halves written as one word; after "пол" as a word of its own the rest of the word follows."""

DAYS: dict[str, int] = {
    "позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2, "послепослезавтра": 3,
}  # fmt: skip
DAY_ADJECTIVES = {"вчерашн": -1, "сегодняшн": 0, "завтрашн": 1}

_WEEKDAYS = _table("""
0: понедельник понедельника понедельнику понедельником понедельнике
1: вторник вторника вторнику вторником вторнике
2: среда среды среде среду средой
3: четверг четверга четвергу четвергом четверге
4: пятница пятницы пятнице пятницу пятницей
5: суббота субботы субботе субботу субботой
6: воскресенье воскресенья воскресенью воскресеньем воскресение воскресения воскресению
""")
WEEKDAYS: dict[str, int] = {form: int(name) for form, name in _WEEKDAYS.items()}
WEEKDAYS_PLURAL: dict[str, int] = {
    "понедельникам": 0, "вторникам": 1, "средам": 2, "четвергам": 3, "пятницам": 4, "субботам": 5,
    "воскресеньям": 6, "воскресениям": 6,
}  # fmt: skip
DAY_GROUPS: dict[str, str] = {
    **dict.fromkeys(forms("будням будни будние будним будний рабочим"), "MO,TU,WE,TH,FR"),
    "выходным": "SA,SU",
}

MONTHS: dict[str, int] = {}
for _number, _stem in enumerate(ordered("январ феврал март апрел ма июн июл август сентябр октябр ноябр декабр"), 1):
    # "май" declines as a soft stem without the sign; "март" and "август" are hard
    _ends = ("", "а", "у", "е", "ом") if _number in (3, 8) else ("ь", "я", "ю", "е", "ем")
    for _end in ("й", "я", "ю", "е", "ем") if _number == 5 else _ends:
        MONTHS[_stem + _end] = _number
MONTHS_GENITIVE: dict[str, int] = {form: number for form, number in MONTHS.items() if form[-1] in "ая"}

SEASONS: dict[str, int] = {
    "зимой": 12, "зимою": 12, "весной": 3, "весною": 3, "летом": 6, "осенью": 9,
}  # fmt: skip
SEASON_NOUNS: dict[str, int] = {
    "зиму": 12, "зиме": 12, "зимы": 12, "весну": 3, "весне": 3, "весны": 3, "лето": 6, "лету": 6, "лета": 6,
    "осень": 9, "осени": 9,
}  # fmt: skip

PARTS: dict[str, str] = {
    "утром": "morning", "утречком": "morning", "поутру": "morning", "спозаранку": "early", "днем": "day",
    "вечером": "evening", "вечерком": "evening", "вечерочком": "evening", "ночью": "night",
}  # fmt: skip
"""Adverbs, which are a time on their own."""
PART_NOUNS: dict[str, str] = {
    **dict.fromkeys(("утро", "утра", "утру"), "morning"),
    **dict.fromkeys(("обед", "обеда", "обеду"), "lunch"),
    **dict.fromkeys(("вечер", "вечера", "вечеру"), "evening"),
    **dict.fromkeys(("ночь", "ночи"), "night"),
}
PARTS_PLURAL: dict[str, str] = {"утрам": "morning", "вечерам": "evening", "ночам": "night", "дням": "day"}
PARTS_OF_CLOCK: dict[str, str] = {
    "утра": "morning", "дня": "day", "вечера": "evening", "ночи": "night", "пополудни": "day",
    "пополуночи": "night",
}  # fmt: skip
"""After a clock: "в два часа ночи"."""

NOON = forms("полдень полудня полудню полуднем полдня")
MIDNIGHT = forms("полночь полуночи полночи")

CARDINALS: dict[str, tuple[int, int, str]] = {}
"""Form to value, rank (1 units, 2 ten to nineteen, 3 tens, 4 hundreds) and cases: n (nominative and
accusative), g, d (with the prepositional, where they are alike), i."""


def _cardinals() -> None:
    def add(value: int, rank: int, **cases: str) -> None:
        for case, listed in cases.items():
            for form in listed.split():
                known = CARDINALS.get(form)
                CARDINALS[form] = (value, rank, (known[2] if known else "") + case)

    add(0, 1, n="ноль нуль", g="ноля нуля", d="нолю нулю", i="нолем нулем")
    add(1, 1, n="один одна одно одну", g="одного одной", d="одному", i="одним")
    add(2, 1, n="два две", g="двух", d="двум", i="двумя")
    add(3, 1, n="три", g="трех", d="трем", i="тремя")
    add(4, 1, n="четыре", g="четырех", d="четырем", i="четырьмя")
    add(8, 1, n="восемь", g="восьми", d="восьми", i="восемью восьмью")
    soft = {5: "пят", 6: "шест", 7: "сем", 9: "девят", 10: "десят", 11: "одиннадцат", 12: "двенадцат",
            13: "тринадцат", 14: "четырнадцат", 15: "пятнадцат", 16: "шестнадцат", 17: "семнадцат",
            18: "восемнадцат", 19: "девятнадцат", 20: "двадцат", 30: "тридцат"}  # fmt: skip
    for value, stem in soft.items():
        rank = 1 if value < 10 else 2 if value < 20 else 3
        add(value, rank, n=stem + "ь", g=stem + "и", d=stem + "и", i=stem + "ью")
    add(40, 3, n="сорок", g="сорока", d="сорока", i="сорока")
    for value, first, oblique in ((50, "пять", "пяти"), (60, "шесть", "шести"), (70, "семь", "семи"),
                                  (80, "восемь", "восьми")):  # fmt: skip
        add(value, 3, n=first + "десят", g=oblique + "десяти", d=oblique + "десяти")
    add(90, 3, n="девяносто", g="девяноста", d="девяноста", i="девяноста")
    add(100, 4, n="сто", g="ста", d="ста", i="ста")
    hundreds = ordered("двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот")
    for value, form in enumerate(hundreds, 2):
        add(value * 100, 4, n=form)


_cardinals()

ORDINALS: dict[str, tuple[int, str]] = {}
"""Form to value and ending: n ("пятое"), g ("пятого"), d ("пятому"), p ("пятом"), m ("пятый"), f (feminine).
"""


def _ordinals() -> None:
    stems = ordered(
        "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат "
        "четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат двадцат"
    )
    rows = [*enumerate(stems, 1), (30, "тридцат"), (40, "сороков"), (50, "пятидесят"), (60, "шестидесят"),
            (70, "семидесят"), (80, "восьмидесят"), (90, "девяност")]  # fmt: skip
    tags = "ngdpmfffi"
    hard = dict(zip(ordered("ое ого ому ом ый ой ая ую ым"), tags, strict=True))
    soft = dict(zip(ordered("ье ьего ьему ьем ий ьей ья ью ьим"), tags, strict=True))
    for value, stem in rows:
        for ending, tag in (soft if value == 3 else hard).items():
            ORDINALS[stem + ending] = (value, tag)
    for form, value in (("второй", 2), ("шестой", 6), ("седьмой", 7), ("восьмой", 8)):
        ORDINALS[form] = (value, "m")


_ordinals()

TAILS: dict[str, str] = dict(zip(ordered("е ое го ого му ому м й"), "nnggddpm", strict=True))
"""Endings written after a hyphen: "5-го", "23-е"."""

HOUR_ORDINALS: dict[str, int] = {form: value for form, (value, tag) in ORDINALS.items() if tag == "g" and value <= 12}
HALF_HOURS: dict[str, int] = {"пол" + form: value for form, value in HOUR_ORDINALS.items()}

THIS = forms("этот эту это эти этом этой этого этому этих этим этими")
NEXT = forms(
    "следующий следующую следующее следующие следующем следующей следующего следующему следующих "
    "следующим будущий будущую будущее будущем будущей будущего будущим"
)
LAST = forms(
    "прошлый прошлую прошлое прошлые прошлом прошлой прошлого прошлых прошлым прошлому минувший "
    "минувшую минувшие минувшей минувшем предыдущий предыдущую предыдущем предыдущей предыдущего"
)
NEAR = forms("ближайший ближайшую ближайшее ближайшие ближайшей ближайшем ближайшего ближайших ближайшим")
RECENT = forms("последний последнюю последнее последние последних последнего последней")
WHOLE = forms("весь всю все целый целую")
MODIFIERS: dict[str, str] = {
    **dict.fromkeys(THIS, "this"), **dict.fromkeys(NEXT, "next"), **dict.fromkeys(LAST, "last"),
    **dict.fromkeys(NEAR, "near"),
}  # fmt: skip
EACH = forms("каждый каждую каждое каждые каждого каждой каждым каждому")
EDGES: dict[str, int] = {
    "начале": 0, "начало": 0, "началу": 0, "начала": 0, "середине": 1, "середину": 1, "середины": 1,
    "конце": 2, "конец": 2, "концу": 2, "конца": 2, "исходе": 2,
}  # fmt: skip

COUNTED = forms(
    "раз раза ка ручья слов слова словах рублей рубля руб рубль долларов евро км километров километра "
    "километре кг кило грамм граммов г гр л литров литра мл метров метра метре м см мм штук штуки шт "
    "процентов процента градусов градуса градус человек человека людей страниц страницы строк строки "
    "руки рук ряда рядов голоса присест счета приема подхода подходов захода шага шагов клика касания "
    "погибели этаж этаже этажа этажей классе класс класса классов подъезде подъезд квартире квартиру "
    "комнате комнату комнат кабинете кабинет доме дом дома домов номере номер номеров вагоне вагон "
    "палате палату серии серию серий сезоне сезона сезонов главе главу глав части часть частей томе "
    "группе группу школе школу больнице больницу поликлинике садике ряду ряд месте место мест корпусе "
    "отделении пункте параграфе задании вопросе строке столбце странице страницу варианта магазина "
    "магазинов города городов страны стран экземплярах игры игр очка очков баллов балла гигабайт "
    "мегабайт гб мб тб битрейт ватт вольт ампер волей пачки пачек пачку банки банок бутылки бутылок яиц "
    "яйца пакета пакетов коробки коробок стакана стаканов ложки ложек чашки чашек таблетки таблеток "
    "капель капли линии линию терминале терминал микрорайоне микрорайон квартале доллара цента копеек "
    "тысяч тысячи миллионов миллиона кругов круга камеры устройства лампы лампочки колонки канал канале "
    "минутах часах днях сторону стороны мире"
)
"""Nouns after which a number counts or names something: "в 5 классе", "в три раза", "на 3 этаже"."""
NOT_COUNTED = forms("готов здоров часов кров любовь прием")
KINGS = (
    "петр", "павл", "никола", "александр", "екатерин", "иван", "людовик", "генрих", "карл", "наполеон",
    "филипп", "елизавет", "вильгельм", "фридрих", "георг", "бенедикт", "иоанн", "рамзес",
)  # fmt: skip
"""A ruler's number is an ordinal in the genitive too: "при петре первом", "карла двенадцатого"."""
