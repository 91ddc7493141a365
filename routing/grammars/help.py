"""Row 3: how to do a thing with Maven, and what she can do.

Observed: "как отменить напоминание" leaked to a search engine, or to the reminder itself; the answer is the command
that Maven accepts, which only she knows.
"""

from __future__ import annotations

import re

from routing.context import Context
from routing.decision import Decision, Source
from routing.grammars.base import Grammar, Match
from routing.grammars.cancellation import NOUN
from routing.grammars.common import HERSELF, NAMES, TAIL, asks, brief, has, names_of, said, timed_words, times_of
from routing.lexicon import words_of
from routing.text import Utterance

NAME = "maven-help"
_DECISION = asks(Source.SELF, True, NAME)

_M = r"(?:мавен(?:а|у|ом|е)?|мейвен(?:а|у|ом|е)?|maven)"
_YOU = rf"(?:тебя|тебе|тобой|вас|вам|вами|{_M})"
_HOW = (
    r"(?:(?:а |как )?(?:как|каким образом|какой командой|какими словами|какой фразой|с помощью какой команды|где|как же"
    r"|как правильно|как именно|как вообще|как быстро|как проще|как лучше|как-то можно|что делать чтобы|что"
    r" сделать чтобы"
    r"|что нужно чтобы|что надо чтобы))"
)
_ASK = (
    r"(?: (?:подскажи(?:те)?|скажи(?:те)?|объясни(?:те)?|расскажи(?:те)?|напомни(?:те)?|научи|покажи|мне|нам"
    r"|пожалуйста|плиз|не|"
    r"подскажешь|знаешь|интересно|хочу|узнать|понять|забыла?|помню|а|и|ну|слушай))*"
)
_CAN = (
    r"(?: (?:мне|нам|можно|я|мы|могу|можем|тут|здесь|у|тебя|тебе|сейчас|теперь|потом|вообще|правильно|быстро"
    r"|лучше|самому|самой|ли|надо|нужно))*"
)
_VERBS = (
    r"(?:отменить|отменять|удалить|удалять|убрать|снять|стереть|выключить|отключить|поставить|ставить|завести"
    r"|заводить|установить"
    r"|создать|создавать|сделать|добавить|добавлять|включить|изменить|поменять|менять|перенести|переносить"
    r"|отложить|откладывать"
    r"|посмотреть|смотреть|увидеть|просмотреть|найти|искать|услышать|узнать|записать|записывать|оставить"
    r"|сохранить|очистить"
    r"|отредактировать|редактировать|исправить|настроить|повторить|продлить|остановить|выбрать|открыть"
    r"|прочитать|показать|вести"
    r"|восстановить|вернуть|дополнить|переименовать|прослушать|пополнить|отметить|закрыть|завершить|выполнить"
    r"|задать|запустить)"
)
_THINGS = (
    rf"(?:{NOUN}|таймер(?:ы|а|ов)?|заметк[уиа]|заметок|заметочку|список (?:покупок|дел|задач)|списк[аеу]"
    rf" (?:покупок|дел|задач)"
    r"|списки|покупк[иу]|задач[уи]|задание|факт(?:ы)?|запись|записи|(?:событи[ея]|встреч[уи]) (?:в|из"
    r"|на|во) календар[ьея]|тихий режим|ночной режим|режим тишины|обязательств[оа])"
)
_OWN = (
    r"(?:мои|мое|мой|мою|свои|свой|свою|свое|все|всё|эти|это|этот|эту|новое|новый|новую|новые|старые|старое"
    r"|повторяющееся|ежедневное"
    r"|ежедневный|общий|последнее|последний|последнюю|одно|один|одну|еще|несколько|второй|второе|лишнее"
    r"|ненужное|такое|что|что-нибудь"
    r"|что-то|товар|товары|продукт|продукты|пункт|молоко|хлеб|в|во|из|на|к|время|звук|громкость|уже|созданное"
    r"|какое-нибудь)"
)
_HOW_TO = (
    rf"^{_ASK} {_HOW}{_CAN} {_VERBS}(?: {_OWN})* (?P<n>{_THINGS})(?P<rest>(?: [^ ]+)*?){TAIL}",
    rf"^{_ASK} {_HOW}{_CAN}(?: {_OWN})* (?P<n>{_THINGS}) {_VERBS}(?P<rest>(?: [^ ]+)*?){TAIL}",
    rf"^{_ASK}(?: {_OWN})* (?P<n>{_THINGS}) (?:как|как тут|как же|где) {_VERBS}(?P<rest>(?: [^ ]+)*?){TAIL}",
    rf"^{_ASK} (?:какая|какие) (?:команда|команды|есть команда|фраза)(?: (?:чтобы|для того|нужна|есть|отменяет"
    rf"|удаляет|ставит|для))*"
    rf"(?: (?:{_VERBS}|отмены|удаления|создания|установки))?(?: {_OWN})* (?P<n>{_THINGS}|напоминаний"
    rf"|будильника|таймера)"
    rf"(?P<rest>(?: [^ ]+)*?){TAIL}",
    rf"^{_ASK} что (?:мне |тебе |надо |нужно |я должен |я должна |должен |должна )*(?:сказать|говорить"
    rf"|произнести|скажу)(?: тебе)?"
    rf"(?: (?:чтобы|чтоб)) (?:{_VERBS}|[^ ]+)(?P<rest>(?: [^ ]+)*?) (?P<n>{_THINGS}){TAIL}",
    r"^(?: (?:tell|me|show|remind|please|explain|know|do|you|can|so|and|i|don't|forgot))*"
    r" (?:how (?:do|can|should|would|could|to|does one)|where (?:do|can)|is there a way to|is there any way to"
    r"|what (?:do|should|must|can)"
    r" i (?:say|tell you|do) to)(?: (?:i|we|one|you|properly|quickly))*"
    r" (?:cancel|delete|remove|set|create|make|add|change|edit|snooze|turn off|switch off|turn on|stop|dismiss"
    r"|move|list|see|view"
    r"|find|check|clear|save|take|write|record|reschedule|postpone|start|rename|undo)"
    r"(?: (?:a|an|the|my|all|new|another|any|of|recurring|daily|something|items?|things?|to|from|in|on|milk|up"
    r"|existing|old|last))*"
    r" (?P<n>reminders?|alarms?|timers?|notes?|shopping list|grocery list|to-do list|todo list|to-dos?|todos?|tasks?)"
    rf"(?P<rest>(?: [^ ]+)*?){TAIL}",
    r"^(?: (?:what|which)) (?:command|phrase|words?)(?: (?:do|should|can|i|use|say|to|is|there|for|does|would"
    r"|will|the))*"
    r" (?:cancels?|cancelling|canceling|deletes?|deleting|sets?|setting|creates?|adds?|stops?|removes?)"
    rf"(?: (?:a|an|the|my))* (?P<n>reminders?|alarms?|timers?|notes?|tasks?)(?P<rest>(?: [^ ]+)*?){TAIL}",
)
_ABOUT_HER = (
    # what she can do
    rf"^{_ASK} (?:что|чего|че|чо|чему)(?: (?:же|еще|вообще|ты|вы|{_M}|мне|там|тут|интересного|полезного|нового"
    rf"|именно|все|уже|теперь))*"
    rf" (?:умеешь|умеете|умеет|обучена|научилась)(?: (?:ты|вы|{_M}|делать|еще|вообще|полезного|интересного"
    rf"|нового|для|меня|дома|по"
    rf"|дому|кроме|этого|с|напоминаниями|будильниками|списками|заметками|сейчас|теперь|такого|хорошего|еще|из"
    rf"|необычного|и|чего|нет))*{TAIL}",
    rf"^{_ASK} что(?: (?:же|еще|вообще|именно|ты|вы|{_M}))* (?:можешь|можете)(?: (?:ты|вы|{_M}|делать|сделать"
    rf"|еще|вообще|для|меня|мне"
    rf"|нас|предложить|полезного|уже|по|дому|дома))*{TAIL}",
    rf"^{_ASK} (?:на что|к чему)(?: (?:же|еще|вообще|ты|вы|{_M}))* (?:способна|способен|способны|годишься"
    rf"|годна)(?: (?:ты|вообще|{_M}))*{TAIL}",
    rf"^{_ASK} (?:с |в )?чем(?: (?:ты|вы|{_M}|мне|еще|вообще))* (?:(?:можешь|можете|умеешь)(?: (?:мне|быть))*"
    rf" (?:помочь|помогать|полезна)"
    rf"|поможешь|полезна)(?: (?:мне|ты))*{TAIL}",
    rf"^{_ASK} (?:какие|какой|каковы|перечисли(?:те)?|покажи(?:те)?|список|назови|дай список|расскажи про|расскажи о)"
    rf"(?: (?:у|тебя|вас|есть|еще|все|всех|твои|твоих|свои|своих|твой|набор|список|голосовые|доступны"
    rf"|доступные|мне|нам|самые|основные))*"
    rf" (?:команд(?:ы|ах)?|возможност(?:и|ях|ей)|функци(?:и|ях|й)|навык(?:и|ах|ов)|умени(?:я|ях)|способност(?:и|ях))"
    rf"(?P<after>(?: (?:у|тебя|вас|есть|ты|вы|понимаешь|знаешь|умеешь|поддерживаешь|выполняешь|принимаешь"
    rf"|доступны|можно|давать|тебе"
    rf"|использовать|твои|{_M}|вообще|еще|сейчас))*){TAIL}",
    rf"^{_ASK} (?:ты|вы) (?:умеешь|умеете)(?: ли)? [^ ]+(?:ть|ться|ти|чь)(?:(?: [^ ]+){{0,5}}?){TAIL}",
    rf"^{_ASK} (?:умеешь|умеете)(?: ли)?(?: (?:ты|вы))? [^ ]+(?:ть|ться|ти|чь)(?:(?: [^ ]+){{0,5}}?){TAIL}",
    # how to live with her
    rf"^{_ASK} (?:{_HOW})(?: (?:мне|нам|можно|я|могу|правильно|лучше|надо|нужно|заставить|вообще|тебе|теперь"
    rf"|быстро|совсем|временно|на|время))*"
    rf" {_YOU} (?:выключ|отключ|включ|останов|перезапус|перезагруз|обнов|настро|настра|пользова|использова"
    rf"|заткну|вызва|вызыва|позва"
    rf"|звать на помощь|разбуд|установ|удал|сброс|науч|обуч|попрос|проси|спроси|спраши|сказа|переименова"
    rf"|управля|приглуш|замолча"
    rf"|перенастро|активир|запус|заглуш|усып|прерва|остана|перебива|переключ|перевес"
    rf"|подключ)[а-я]*(?P<after>(?: [^ ]+){{0,8}}?){TAIL}",
    rf"^{_ASK} (?:{_HOW})(?: (?:мне|можно|я|могу|правильно|лучше|надо|нужно|вообще))* (?:выключить|отключить"
    rf"|включить|остановить|перезапустить"
    rf"|перезагрузить|обновить|настроить|заткнуть|вызвать|позвать|установить|научить|заставить|пользоваться"
    rf"|использовать|попросить|управлять"
    rf"|общаться с|говорить с|разговаривать с|работать с|сбросить|активировать|запустить|прервать|отучить"
    rf"|приучить) {_YOU}"
    rf"(?P<after>(?: [^ ]+){{0,8}}?){TAIL}",
    rf"^{_ASK} (?:{_HOW})(?: (?:мне|можно|правильно|лучше|надо|нужно|вообще))* с (?:тобой|вами|{_M})"
    rf" (?:общаться|говорить|разговаривать|работать"
    rf"|обращаться|взаимодействовать){TAIL}",
    rf"^{_ASK} (?:{_HOW}) сделать(?: так)? чтобы? (?:ты|{_M}) (?P<after>[^ ]+(?: [^ ]+){{0,6}}?){TAIL}",
    rf"^{_ASK} (?:{_HOW})(?: [^ ]+){{1,5}} (?:через тебя|с твоей помощью|через {_M}|с помощью {_M}){TAIL}",
    rf"^{_ASK} как(?: (?:вообще|именно|же))* (?:ты|{_M}) (?:устроена?|работаешь|работает|функционируешь"
    rf"|понимаешь команды"
    rf"|распознаешь (?:речь|голос)|запоминаешь(?: (?:факты|заметки|вещи))?|хранишь (?:мои )?(?:данные|заметки)){TAIL}",
    rf"^{_ASK} как(?: (?:вообще|именно|же))* (?:работаешь|работает|устроена) (?:ты|{_M}){TAIL}",
    rf"^{_ASK} (?:как|чем|что)(?: (?:мне|можно|надо|нужно|тебе))* (?:изменить|поменять|сменить|сделать"
    rf"|настроить|включить|отключить|убавить|прибавить)"
    rf"(?: [^ ]+)? (?:твой|твою|твоего|твоей) (?:голос|громкость|речь|язык|имя|голоса|скорость|настройки"
    rf"|уведомления)(?: [^ ]+)?{TAIL}",
    rf"^{_ASK} (?:для чего|зачем) (?:ты|{_M}) (?:нужна|нужен|существуешь|создана?){TAIL}",
    r"^ (?:помощь|справка|инструкция|help)(?: по (?:командам|мавену|мавен|maven))?" + TAIL,
    r"^(?: (?:so|and|tell|me|please|hey|remind))* what(?: else)? (?:can|could) (?:you|maven|i)"
    r"(?: (?:do|say|ask|tell|help with|help me with))"
    r"(?: (?:for|me|here|exactly|all|else|to|you|with|reminders|now|of))*" + TAIL,
    r"^(?: (?:so|and|tell|me|please))* what are you (?:able to do|capable of|good at|good for|useful for)" + TAIL,
    r"^(?: (?:so|and|tell|me|please|show|list|about))*(?: what| which)?(?: are| of| is)?(?: all)? (?:your"
    r"|maven's|maven)(?: [a-z]+)?"
    r" (?:commands?|features?|capabilities|abilities|skills|functions)" + TAIL,
    r"^(?: (?:what|which)) (?:commands?|voice commands|features|skills|functions|languages)(?: (?:do|can|are"
    r"|does))+ (?:you|maven|there|i)"
    r"(?: (?:understand|support|know|have|accept|use|give|say|recognize|recognise|speak|handle|available|you|for))*"
    + TAIL,
    r"^(?: (?:tell|me|please|explain|so|and|do|know))* how (?:do|can|should|could|would|to)(?: (?:i|we|one"
    r"|best|properly))*"
    r" (?:turn|switch|shut|mute|silence|restart|reboot|update|upgrade|configure|set up|use|talk to|speak to"
    r"|speak with|talk with"
    r"|call|activate|wake|disable|enable|stop|interrupt|teach|ask|reset|uninstall|install|quiet|get|make|have"
    r"|let|tell) (?:you|maven)"
    r"(?P<after>(?: [^ ]+){0,8}?)" + TAIL,
    r"^(?: (?:tell|me|please|explain|so|and))* how (?:do you work|does maven work|are you built)" + TAIL,
)

_ELSEWHERE = re.compile(
    r"^(?:ай?фон|iphone|ipad|ios|айпад|андроид|android|телефон|смартфон|телеграм|тг$|telegram|ватсап|вацап"
    r"|whatsapp|вк$|вконтакт|windows|винд"
    r"|mac$|макбук|macos|ноут|компьютер|комп$|компе|часах$|часы$|apple|алис|alexa|siri|сири|google|гугл"
    r"|cortana|маруся|салют|салюте|ардуин"
    r"|arduino|python|питон|java|excel|эксел|word$|ворд|notion|ноушн|outlook|gmail|почт|сайт|приложени|скрипт"
    r"|код$|коде|кода|sql|git|linux|линукс"
    r"|ubuntu|игр|майнкрафт|minecraft|духовк|плит|микроволнов|мультивар|стирал|машинк|тилд|битрикс|jira|джир"
    r"|trello|трелло|slack|слак|самсунг"
    r"|samsung|xiaomi|сяоми|школ|универ|физик|математик|програм|react|c$|html|css|obsidian|обсидиан|evernote"
    r"|эверноут|машине$|телевизор"
    r"|раскладк|gpu|phone|computer|laptop|app$|website|tv$|car$|oven|microwave|watch$|раствор|слайс|подписк"
    r"|рассылк|паспорт|банк|сбер|госуслуг"
    r"|трудов|бумаг|красив|своими$|руками|дерев|картон|вконтакт|дискорд|discord|блокнот|фитбит|garmin|гармин)"
)
_ABOUT = words_of(
    "про о об обо насчет по для чтобы чтоб если когда with about for to that so through using by via when if"
)
_SMALL = words_of(
    "на в во с со к у меня тебя тебе себе мне нам через голосом тобой твоей помощью помощи мавен мавена мавене "
    "мавену календарь списке список "
    "из покупок повторяющимся повторяющейся ежедневным ежедневной громче тише постоянным будними выполненной "
    "выполненную готовой сделанной завершенной как сделанное если не я передумал передумала больше нужно нужна нужен "
    "потом сразу все несколько разу один раз каждый день без интернета в же то а уже созданное созданную поставленный "
    "at on in maven my your me you the a an as done complete completed by voice it i no longer need want "
    "tomorrow list one"
)


def _how_to(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """Declines what is done with another device or program, and what is not Maven's own."""
    words = utterance.words
    if any(_ELSEWHERE.match(word) for word in words) or _past_question(utterance):
        return None
    rest = said(match, "rest")
    if not rest or rest[0] in _ABOUT:
        return _DECISION
    timed = {words[i] for i in timed_words(utterance, times_of(utterance, context))}
    return _DECISION if all(word in timed or word in _SMALL for word in rest) else None


def _past_question(utterance: Utterance) -> bool:
    return has(utterance.words[:1], {"запиши", "запомни"})


def _about_her(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if has(words, _FIGURATIVE) or has(words[:1], {"запиши", "запомни"}):
        return None
    if (
        words[0] == "напомни"
        and words[1:2] != ["мне"]
        and len(words) > 1
        and words[1] not in ("как", "что", "какие", "пожалуйста")
    ):
        return None
    if has(words, _SKILLS) and not has(words, HERSELF) and not has(words, NAMES):
        return None
    return _DECISION


_SKILLS = words_of(
    "возможности возможностях возможностей функции функциях функций навыки навыках навыков умения умениях способности"
)
_FIGURATIVE = words_of("любить ненавидеть терпеть понимать кота собаку ребенка")


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    return (_how_to if "n" in names_of(match) else _about_her)(utterance, match, context)


GRAMMARS = (Grammar(NAME, (*_HOW_TO, *_ABOUT_HER), brief(_build)),)
