"""Row 11: queries whose closed nouns name their source: weather, clock, feed, lists.

Observed: these four frames are the everyday ones, a model spends hundreds of milliseconds on each, and names no source
about a third of the time. A keyword is not a topic, so what stands around the noun is closed too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from routing.context import Context
from routing.decision import Decision, Intent, Source, Span
from routing.grammars.base import Grammar, Match
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import find_times

_END = r"(?: (?:пожалуйста|плиз|мавен|please|maven|а|вообще|скажи|подскажи|там|ли|же|то))* $"
_ASK = (
    r"^ (?:(?:скажи(?:те)?|подскажи(?:те)?|покажи(?:те)?|узнай|посмотри|глянь|мне|нам|а|и|ты|не|знаешь|"
    r"пожалуйста|интересно|хочу узнать|хотел бы узнать|"
    r"хотела бы узнать|можешь сказать|можешь|сказать|подсказать|напомни|дай|tell me|show me|do you know|"
    r"can you tell me|could you tell me|"
    r"can you|let me know|please|i want to know|check|give me|кстати|хотелось бы знать|what is|what's) )*"
)

_WHEN_FILL = words_of(
    "сейчас теперь сегодня завтра нынче там у нас на за по за окном улице дворе городе погодой погоде будет была "
    "стоит ожидается какая какой какую как что с вообще прогноз погоды погода погоду ближайшие ближайшее время "
    "дни день недели неделю неделе утром днем вечером ночью выходные выходных снаружи now today tomorrow outside "
    "here like going to be right the weather forecast this weekend week is it in for at moment currently tonight "
    "and out"
)
_UNREAL = words_of(
    "доме семье душе сердце коллективе отношениях скайриме майнкрафте игре играх симсе симс гта фильме книге "
    "песне сериале ведьмаке варкрафте доте стардью аниме мультике сказке романе голове отделе команде офисе "
    "браузере скайрим skyrim minecraft game games movie book song zelda fallout office team family heart "
    "средиземье марсе луне венере юпитере mars moon venus нарнии хогвартсе фэнтези терарии terraria valheim rust "
    "sims narnia hogwarts westeros вестеросе азероте azeroth witcher stardew скоте"
)
_OWN = words_of(
    "моей моего моему мой моя моем свадьбы свадьбе рождения когда почему зачем влияет бывает любимая любишь "
    "нравится лучше если чтобы песня песню my wedding when why affect affects if love favorite better best song"
)


def _left(utterance: Utterance, context: Context, allowed: frozenset[str], durations: bool = False) -> list[int]:
    """Indexes of the words that are neither time nor allowed."""
    timed: set[int] = set()
    spans: list[Span] = [
        (t.start, t.end) for t in find_times(utterance.raw, context.now, context.timezone, durations=durations)
    ]
    for span in spans:
        timed.update(range(*utterance.words_of(span)))
    return [i for i, word in enumerate(utterance.words) if i not in timed and word not in allowed]


_POLITE = words_of(
    "пожалуйста плиз мавен скажи скажите подскажи подскажите покажи покажите узнай посмотри глянь мне нам а и ты "
    "не знаешь ли же то интересно хочу узнать дай вообще можешь сказать подсказать please tell me show do you "
    "know can could let give check what what's how how's is the there any скажем кстати хотелось бы знать "
    "расскажи"
)
_IN = words_of("в во на по у под из in at near around over for")


def _placed(words: Sequence[str], left: Sequence[int]) -> bool:
    """Whether what is left is nothing, or one place of at most four words ("в нижнем новгороде")."""
    if not left:
        return True
    first, last = left[0], left[-1]
    before = words[first - 1] if first else ""
    if words[first] in _IN:
        return 2 <= last - first + 1 <= 4 and not any(words[i] in _UNREAL or words[i] in _OWN for i in left)
    return before in _IN and last - first + 1 <= 3 and not any(words[i] in _UNREAL or words[i] in _OWN for i in left)


def _query(
    source: Source, claimant: str, allowed: frozenset[str]
) -> Callable[[Utterance, Match, Context], Decision | None]:
    def build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
        words = utterance.words
        if any(word in _OWN or word in _UNREAL for word in words):
            return None
        if not _placed(words, _left(utterance, context, allowed)):
            return None
        return Decision(Intent.QUERY, source=source, claimant=claimant)

    return build


_WEATHER_WORDS = (
    _WHEN_FILL
    | _POLITE
    | words_of(
        "температура температуру температуре воздуха градусов градуса сколько холодно тепло жарко прохладно "
        "ветрено дождь дождик дождя снег снега гроза грозы ливень град ветер ветра мороз морозы туман солнечно "
        "солнце ясно пасмурно облачно гололед пойдет идет ждать обещают передают обещали брать взять нужен "
        "понадобится зонт зонтик зонта одеваться одеться надеть минус плюс осадки осадков влажность давление "
        "сильный сильно много очень или стоит мне ли нужно надо собирается собираются лить лед метель temperature "
        "degrees cold warm hot cool windy rain raining rainy snow snowing snowy storm sunny cloudy foggy fog wind "
        "umbrella need take bring i should will a an be gonna does do wear coat humid freezing expected later "
        "some much many jacket cloudy chance of"
    )
)

_CLOCK_WORDS = _POLITE | words_of(
    "который час времени время сейчас теперь сколько какое какой какая какую число числа день дня дата дату год "
    "месяц недели неделя часах на сегодня завтра вчера было будет был теперь точное точно текущее московское "
    "местное там у нас уже здесь напомни what's time date day today's today is it now right current local exact "
    "the of week month year exactly which got have we was"
)
_CITY = r"(?: (?:в|во|на|по|in|at) \S+(?: \S+){0,2})?"

_NEWS = (
    r"новости|новостей|новостях|новостям|новостями|заголовки|заголовках|ленте|ленту|лента|ленты|подписках|подписки|"
    r"подпискам|сводку|сводка|дайджест"
)
_FEED_WORDS = _POLITE | words_of(
    "спорта науки технологий экономики политики футбола хоккея культуры кино региона мира игр криптовалют бизнеса "
    "sports tech science business politics там что-нибудь что-то чего новые новый нибудь новости новостей "
    "новостях новостям заголовки заголовках ленте ленту лента ленты подписках подписки подпискам сводку сводка "
    "дайджест что какие какая есть нового новое новенького в во из по за сейчас сегодня последние последних "
    "последняя свежие свежее свежих главные главное важное утренние вечерние мировые новостную новостной "
    "новостные новостей моих моей мои моя мою лентах прочитай прочти прочитать читай зачитай расскажи пишут "
    "говорят происходит слышно появилось вышло интересного день дня неделю сутки утро час пришло rss рсс выпуск "
    "канала каналам каналах день мире стране городе россии news headlines headline feed feeds subscriptions "
    "latest today's newest top what's in my new on from for read morning evening world local are there anything "
    "happening updates breaking rss of the day"
)

_LIST_NAME = (
    r"(?:спис(?:ок|ка|ке|ки|ков|ках)|чек-лист\S*|корзин[аеуы])"
    r"(?: (?:покупок|продуктов|желаний|подарков|вещей|хотелок|хозтоваров|лекарств|закупок|на дачу|для дачи|"
    r"в магазин|для магазина|на неделю|на сегодня|на завтра|"
    r"в аптеку|для похода|в поход|для ремонта|в отпуск|для пикника|на пикник|на выходные|фильмов|книг|"
    r"сериалов|к ужину|на ужин))?"
)
_LIST_EN = (
    r"(?:my |the |our )?(?:shopping |grocery |groceries |wish |packing |gift |hardware store |pharmacy )?(?:list|"
    r"lists|wishlist|checklist|cart|basket)"
)
_ITEM = r"\S+(?: \S+){0,2}"


def _list(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    for i, word in enumerate(words):
        if word.startswith(("спис", "list")) and words[i + 1 : i + 2] and words[i + 1] in _FOREIGN:
            return None
    if any(word in _NOT_QUERY for word in words) or any(
        word in ("дел", "задач", "to-do", "todo", "tasks") for word in words
    ):
        return None
    return Decision(Intent.QUERY, source=Source.LIST, claimant="list-query")


_FOREIGN = words_of(
    "литературы форбс forbes контактов команд дел задач лучших стран городов чемпионов президентов наследия "
    "олимпийских победителей вопросов функций запрещенных террористов of шиндлера санкций миллиардеров "
    "книг-бестселлеров друзей участников ошибок файлов сотрудников учеников студентов процессов устройств сетей"
)
_NOT_QUERY = words_of(
    "добавь добавить вычеркни убери удали очисти запиши создай add remove clear create delete put напомни если "
    "кто почему зачем как why how who"
)


def _weather(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if any(word in _UNREAL or word in _OWN for word in words) or words[:1] == ["если"]:
        return None
    noun = any(word.startswith(("погод", "прогноз", "weather", "forecast")) for word in words)
    asked = (
        utterance.question
        or noun
        or any(
            word
            in (
                "ли",
                "сколько",
                "какая",
                "какой",
                "how",
                "what",
                "will",
                "is",
                "do",
                "should",
                "нужен",
                "брать",
                "are",
                "does",
                "am",
            )
            for word in words
        )
        or (
            not utterance.raw.rstrip().endswith((".", "!"))
            and words[-1:] != ["будет"]
            and any(w in ("будет", "пойдет", "обещают", "ожидается") for w in words)
        )
    )
    if not asked or any(word in _STATED for word in words):
        return None
    left = _left(utterance, context, _WEATHER_WORDS)
    if not _placed(words, left):
        return None
    if words[-1:] == ["погоды"] and "прогноз" not in words:
        return None
    return Decision(Intent.QUERY, source=Source.WEATHER, claimant="weather-query")


_STATED = words_of(
    "люблю ненавижу хорошая плохая ужасная отличная прекрасная испортилась шепчет мерзкая собачья надеюсь боюсь "
    "думаю кажется love hate nice lovely awful hope terrible beautiful"
)


def _feed(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if any(word in _FEED_NOT for word in words) or words[0] in ("включи", "выключи", "поставь"):
        return None
    if any(word == "не" and words[i + 1 : i + 2] and not words[i + 1].endswith("шь") for i, word in enumerate(words)):
        return None
    left = _left(utterance, context, _FEED_WORDS)
    if left:
        i = left[0]
        about = words[i] in ("про", "о", "об", "по", "about", "on", "from", "с") or (
            i and words[i - 1] in ("about", "on", "from", "in", "о", "про", "об", "по", "в", "из", "на")
        )
        if not about or left[-1] - i > 3 or any(words[k] in _PERSONAL for k in left):
            return None
    lone = [word for word in words if word not in _POLITE]
    if (
        lone
        and lone[0] in ("лента", "ленту", "ленты", "подписки", "сводка", "дайджест", "feed", "subscriptions")
        and len(lone) == 1
        and len(words) == 1
    ):
        return None
    if words[:1] == ["у"] or (words[:2] == ["есть", "новости"] and left):
        return None
    return Decision(Intent.QUERY, source=Source.FEED, claimant="feed-query")


_FEED_NOT = words_of(
    "хорошие плохие отличные ужасные прекрасные грустные радостные тебя твои светодиодная светодиодную "
    "светодиодной клейкая конвейерная атласная скотч изолента георгиевская добавь удали отмени отменить оформи "
    "подпишись отпишись платные стоит оплати сколько good bad great terrible you your cancel unsubscribe "
    "subscribe pay cat baby dog feed-in chickens fish от мамы папы лены нее него них врача школы него сколько "
    "почему зачем"
)
_PERSONAL = words_of("работе проекту мне маме нам ремонту делу даче проекте семье друзей my our project work")


GRAMMARS = (
    Grammar(
        "weather-query",
        (
            rf"{_ASK}(?:(?:какая|какую|как|что|что там|как там|что за|какой|как у нас|что у нас|"
            rf"какова) )?(?:\S+ ){{0,4}}?(?:с )?(?:погода|погоду|погоде|погодой|погодка|погодку|"
            rf"прогноз погоды) (?:\S+ ){{0,6}}$",
            rf"{_ASK}(?:какой |какой там |что за )?прогноз (?:\S+ ){{0,5}}$",
            r"^ (?:\S+ ){0,4}?(?:будет|пойдет|идет|ожидается|обещают|ждать|передают|обещали|собирается|ли|"
            r"нет ли) (?:\S+ ){0,3}?(?:дождь|дождик|дождя|снег|снега|гроза|грозы|ливень|град|ветер|мороз|"
            r"туман|дождю|осадки|солнце|гололед|метель) (?:\S+ ){0,4}$",
            r"^ (?:\S+ ){0,3}?(?:дождь|снег|гроза|ливень|град|дождик) (?:\S+ ){0,2}?(?:будет|пойдет|идет|"
            r"ожидается|обещают) (?:\S+ ){0,4}$",
            r"^ (?:\S+ ){0,5}?(?:брать|взять|нужен|понадобится|нужно|надо|стоит|"
            r"брать с собой) (?:\S+ ){0,3}?(?:зонт|зонтик) (?:\S+ ){0,3}$",
            r"^ (?:\S+ ){0,3}?(?:сколько (?:\S+ )?градусов|какая (?:\S+ )?температура(?: воздуха)?|"
            r"сколько (?:\S+ )?градусов тепла) (?:\S+ ){0,3}?(?:на улице|за окном|снаружи|во дворе|"
            r"на дворе|в городе|завтра|днем|ночью) (?:\S+ ){0,3}$",
            r"^ (?:\S+ ){0,3}?(?:за окном|на улице|на дворе|снаружи) (?:\S+ ){0,3}?(?:сколько (?:\S+ "
            r")?градусов|какая (?:\S+ )?температура|холодно|тепло|жарко|мороз|дождь|снег) (?:\S+ ){0,2}$",
            r"^ (?:\S+ ){0,3}?(?:холодно|тепло|жарко|прохладно|ветрено|солнечно|пасмурно|"
            r"облачно) (?:\S+ ){0,3}?(?:на улице|за окном|снаружи|на дворе|ли завтра|"
            r"ли сегодня) (?:\S+ ){0,3}$",
            r"^ (?:\S+ ){0,3}?(?:завтра|сегодня|вечером|ночью|днем|утром|будет|"
            r"в выходные) (?:будет )?(?:\S+ ){0,1}?(?:холодно|тепло|жарко|прохладно|ветрено|солнечно|"
            r"пасмурно|облачно) (?:\S+ ){0,3}$",
            rf"{_ASK}(?:what's|what is|how's|how is|what will|how will|what|"
            rf"whats) (?:\S+ ){{0,2}}?weather (?:\S+ ){{0,6}}$",
            rf"{_ASK}(?:the |any |current |today's |tomorrow's |local )*(?:weather|weather forecast|"
            rf"forecast) (?:\S+ ){{0,6}}$",
            r"^ (?:will|is|does|would|are|do you think) (?:it|there|we|it'll) (?:\S+ ){0,4}?(?:rain|"
            r"raining|rainy|snow|snowing|sunny|cloudy|windy|hot|cold|warm|storm|foggy|freezing|"
            r"humid) (?:\S+ ){0,5}$",
            r"^ (?:do|should|will|am) i (?:\S+ ){0,3}?(?:umbrella|coat|jacket) (?:\S+ ){0,4}$",
            r"^ (?:how|what) (?:cold|hot|warm|windy|temperature|is the temperature|degrees)(?: is it|"
            r" will it be| is it going to be)? (?:\S+ ){0,2}?(?:outside|out|today|tomorrow|"
            r"tonight) (?:\S+ ){0,3}$",
            r"^ what's the temperature (?:outside|out) (?:\S+ ){0,3}$",
        ),
        _weather,
    ),
    Grammar(
        "clock-query",
        (
            rf"{_ASK}(?:\S+ ){{0,2}}?(?:который (?:\S+ )?час|сколько (?:сейчас |там |уже |у нас |"
            r"щас )*(?:времени|время)|сколько (?:сейчас |там )*на часах|какое (?:сейчас |там )*время|"
            r"точное время|время сейчас|сколько щас время)"
            rf"(?: (?:сейчас|там|уже|у нас|у вас|теперь))*{_CITY}{_END}",
            rf"{_ASK}(?:\S+ ){{0,1}}?(?:какое|какая|какой) (?:\S+ ){{0,3}}?(?:число|дата|день недели|день|"
            rf"месяц|год) (?:\S+ ){{0,4}}$",
            rf"{_ASK}(?:\S+ ){{0,2}}(?:какое|какой) (?:число|день недели|день|год|месяц){_END}",
            rf"{_ASK}(?:(?:сегодня|сегодняшняя|сегодняшнее|текущая|текущее|сегодняшнюю|текущую|точное|"
            rf"текущий) )+(?:дата|дату|число|время|день недели|год){_END}",
            rf"{_ASK}(?:what time is it|what time it is|what's the time|what is the time|"
            r"what time do you have|got the time|the (?:current |exact |local )?time|time now|current time)"
            rf"(?: (?:now|right now|there|here|currently|exactly))*{_CITY}{_END}",
            rf"{_ASK}(?:what's|what is|what was|what will be)? ?(?:the |today's |tomorrow's |"
            rf"current )*date(?: (?:today|tomorrow|now|is it|is it today|yesterday))*{_END}",
            rf"{_ASK}(?:what|which) (?:day|date|month|year|day of the week) (?:is|was|will) (?:it|today|"
            rf"tomorrow|yesterday|this)(?: (?:be|today|tomorrow|yesterday|now|on))*(?: \S+){{0,4}}{_END}",
        ),
        _query(Source.CLOCK, "clock-query", _CLOCK_WORDS),
    ),
    Grammar(
        "feed-query",
        (
            rf"{_ASK}(?:\S+ ){{0,4}}?(?:{_NEWS}) (?:\S+ ){{0,5}}$",
            rf"{_ASK}(?:\S+ ){{0,5}}?(?:news|headlines|feed|feeds|subscriptions) (?:\S+ ){{0,5}}$",
        ),
        _feed,
    ),
    Grammar(
        "list-query",
        (
            rf"^ (?:\S+ ){{0,3}}?(?:что|чего|сколько|какие) (?:\S+ ){{0,4}}?(?:в|на|из) (?:моем |нашем |"
            rf"моей |нашей |общем |этом )?{_LIST_NAME}(?: (?:есть|записано|осталось|сейчас|сегодня|у нас|"
            rf"у меня|стоит|там|еще))*{_END}",
            rf"^ (?:\S+ ){{0,3}}?(?:покажи|прочитай|прочти|зачитай|озвучь|открой мне|открой|выведи|"
            r"продиктуй|перечисли|назови|скажи)(?:те)? (?:мне |нам |пожалуйста |что в |весь |мой |наш |"
            rf"весь мой )*{_LIST_NAME}{_END}",
            rf"^ (?:\S+ ){{0,2}}?(?:есть ли|есть|стоит ли|записано ли|внесли ли|записан ли|добавлено ли|"
            rf"нет ли) {_ITEM} (?:уже )?(?:в|на) (?:моем |нашем |моей )?{_LIST_NAME}{_END}",
            rf"^ (?:\S+ ){{0,2}}?(?:в|на) (?:моем |нашем |моей )?{_LIST_NAME} (?:\S+ ){{0,2}}?(?:есть|что|"
            rf"сколько|записано|записан|осталось|стоит)(?: {_ITEM})?{_END}",
            rf"^ (?:{_ITEM} )(?:есть|записано|записан|записана|стоит|уже) (?:уже |ли )?в (?:моем |"
            rf"нашем )?{_LIST_NAME}{_END}",
            rf"^ (?:какой|каков|где) (?:\S+ ){{0,3}}?{_LIST_NAME}(?: (?:на|у) \S+)?{_END}",
            r"^ (?:так |ну |а |и )?(?:что|чего) (?:мне |нам |еще |там |надо |нужно |осталось |следует |"
            r"мы |собирались |я |хотел |хотела |мне еще |в магазине )+(?:купить|докупить|покупать|"
            r"закупить)(?: (?:в магазине|сегодня|завтра|еще|из продуктов|на ужин|по списку|домой|"
            rf"на неделю|к ужину))*{_END}",
            r"^ (?:что|чего) (?:купить|покупать|докупить)(?: (?:в магазине|сегодня|еще|по списку|"
            rf"из продуктов))*{_END}",
            r"^ (?:what's|what is|what are|what do i have|what do we have|how many (?:things|items) are|"
            rf"anything|what) (?:left |still |there |things )*(?:on|in) {_LIST_EN}(?: (?:now|today|"
            rf"for today|right now|so far))*{_END}",
            r"^ (?:can you |could you |please )*(?:show|read|read out|open up|list|tell)(?: me|"
            rf" us)? (?:what's on |the contents of |everything on )?{_LIST_EN}(?: (?:out|to me|aloud|"
            rf"out loud))*{_END}",
            rf"^ (?:is|are|do i have|do we have|have i got) (?:there )?{_ITEM} (?:already )?(?:on|"
            rf"in) {_LIST_EN}{_END}",
            r"^ what (?:do|should) (?:i|we) (?:still )?(?:need to |have to |got to )?(?:buy|"
            r"get from the (?:store|shop)|pick up)(?: (?:today|at the store|from the store|at the shop|"
            rf"still|else))*{_END}",
        ),
        _list,
    ),
)
