"""Row 16, orders about herself: her voice, silence, repeating, language, modes, restart, what she is to forget.

Observed: models read "говори тише" as the volume of a device and "повтори" as a query; every frame here is the whole
utterance, so that what has an object of its own goes on to the house.
"""

from __future__ import annotations

from routing.context import Context
from routing.decision import Decision, Intent
from routing.grammars.base import Grammar, Match, group
from routing.grammars.orders import MODAL
from routing.lexicon import any_of
from routing.text import Utterance

_END = (
    r"(?: (?:пожалуйста|плиз|мавен|уже|ка|сейчас|наконец|please|maven|now|спасибо|thanks|ладно|а|милая|дорогая|"
    r"немного|чуть|чуть-чуть|чуток))* $"
)
_BEFORE = (
    r"^ (?:(?:пожалуйста|давай|все|а|так|ну|можешь|можно|ты|не мог бы ты|не могла бы ты|не могла бы|мне|please|"
    r"can you|could you|just|now|would you|теперь|сейчас|больше) )*"
)
_SPEAK = (
    r"говори(?:те|ть)?|разговаривай(?:те)?|разговаривать|отвечай(?:те)?|отвечать|общайся|вещай|speak|talk|"
    r"answer|reply"
)
_HOW = (
    r"тише|потише|громче|погромче|медленнее|помедленнее|быстрее|побыстрее|короче|покороче|шепотом|"
    r"вполголоса|спокойнее|разборчивее|четче|"
    r"внятнее|проще|попроще|подробнее|тихо|громко|медленно|не так громко|не так быстро|не так тихо|"
    r"на полтона ниже|ровнее|вежливее|"
    r"louder|quieter|slower|faster|softer|softly|quietly|up|more slowly|more quietly|more loudly|clearly|"
    r"more clearly|slowly|briefly|less|in a whisper"
)
_LANGUAGE = (
    r"(?:по-)?(?:русски|английски|немецки|французски|испански|китайски|украински|татарски|казахски|"
    r"итальянски)|"
    r"по (?:русски|английски|немецки|французски|испански|китайски|украински)|"
    r"на (?:русском|английском|немецком|французском|испанском|китайском|украинском)(?: языке)?|"
    r"(?:in )?(?:russian|english|german|french|spanish|chinese|italian)"
)
_TO_LANGUAGE = (
    r"(?:русский|английский|немецкий|французский|испанский|китайский|украинский)(?: язык)?|(?:russian|english|"
    r"german|french|spanish|chinese)"
)
_SYSTEM = (
    # silence and stop
    r"(?:стоп|стой|хватит|довольно|замолчи|замолкни|помолчи|молчи|молчать|заткнись|тихо|тишина|цыц|умолкни|"
    r"прекрати|перестань|перестань (?:говорить|болтать|разговаривать|читать|отвечать)|хватит (?:говорить|"
    r"болтать|разговаривать|читать|тарахтеть|трещать)|"
    r"прекрати (?:говорить|болтать|разговаривать|читать)|остановись|отбой|не (?:болтай|разговаривай|кричи|"
    r"ори|шуми|перебивай|перебивай меня|говори так громко|"
    r"кричи так|говори ничего|отвечай|слушай нас|слушай|подслушивай)|помолчи (?:минутку|немного|пока)|"
    r"stop|stop (?:talking|it|speaking|reading|listening)|be quiet|quiet|shut up|hush|silence|enough|"
    r"that's enough|stay quiet|don't (?:talk|shout|yell|interrupt)(?: me)?|stop that)",
    # repeat
    r"(?:повтори(?:те)?(?:-ка)?|повтори(?:те)? (?:еще раз|снова|это|последнее|последнюю фразу|"
    r"что (?:ты )?сказала|ответ|медленнее|помедленнее|громче|что ты сейчас сказала|"
    r"вопрос|это еще раз|последний ответ|сказанное)|скажи (?:это )?(?:еще раз|снова|помедленнее|медленнее|"
    r"громче|погромче|тише)|еще раз повтори|"
    r"повторить|repeat|repeat (?:that|it|yourself|the answer|what you said|again|that again|"
    r"the last (?:answer|phrase|sentence|thing))|say (?:that|it) again|come again|"
    r"say (?:that|it) (?:slower|louder|again slowly|more slowly))",
    # how she speaks
    rf"(?:{_SPEAK}) (?:со мной |с нами |мне |with me |to me |a bit |a little |чуть |немного |чуть-чуть |"
    r"чуточку |пожалуйста |please |еще |всегда |дальше |только |только со мной |больше )*"
    rf"(?:{_HOW}|{_LANGUAGE})",
    r"(?:потише|тише|громче|медленнее) (?:говори|отвечай|разговаривай)(?:те)?",
    rf"(?:{_LANGUAGE}) (?:говори|отвечай|разговаривай)(?:те)?",
    r"(?:говори|отвечай|speak|talk) (?:мужским|женским|другим|обычным|своим|детским|нормальным|"
    r"более низким|низким|in a (?:male|female|different|deeper|normal))"
    r"(?: голосом| voice| тоном)",
    r"(?:сделай|поставь|убавь|прибавь|уменьши|увеличь|настрой) (?:свой|свою|твой|себя) (?:голос|громкость|"
    r"речь|скорость речи)?(?: ?(?:тише|потише|громче|погромче|"
    r"медленнее|быстрее|ниже|выше|помедленнее|побыстрее))?",
    r"(?:убавь|прибавь|уменьши|увеличь|сделай) (?:громкость|скорость) (?:своего |твоего |своей |"
    r"твоей )?(?:голоса|речи)(?: (?:тише|громче|меньше|больше))?",
    r"(?:смени|поменяй|измени|переключи|change|switch) (?:свой |your |the )?(?:голос|язык|voice|language|"
    r"тон|интонацию|accent|стиль общения|стиль ответов)"
    r"(?: (?:на|to) (?:\S+|\S+ \S+))?",
    rf"(?:переключись|перейди|переходи|switch|change) (?:на|to|back to|обратно на) (?:{_TO_LANGUAGE}|ты|вы|"
    r"шепот|текст|голос)",
    r"(?:включи|выключи|отключи|верни|use|turn on|turn off|enable|disable) (?:свой |твой |a |your |"
    r"the )?(?:мужской |женский |male |female |свой |обычный )?"
    r"(?:голос|голосовые ответы|озвучку|озвучивание|voice|voice replies|speech|micro?phone of yours|"
    r"звук своего голоса)",
    r"(?:обращайся|обращаться|называй|зови) (?:ко мне )?(?:на ты|на вы|меня (?:\S+|\S+ \S+)|по имени)",
    # modes and life cycle
    r"(?:перезапустись|перезагрузись|перезапуск|рестарт|выключись|отключись|включись|усни|засыпай|проснись|"
    r"иди спать|ложись спать|обновись|сбрось настройки|сбросься|"
    r"перезагрузи себя|перезапусти себя|выключи себя|отключи себя|заверши работу|завершай работу|"
    r"перезапустись полностью|"
    r"restart(?: yourself)?|reboot(?: yourself)?|shut (?:yourself )?down|go to sleep|wake up|"
    r"turn yourself off|update yourself|reset yourself|power yourself down|mute yourself|unmute yourself|"
    r"go silent|stop listening to (?:me|us))",
    r"(?:включи|выключи|отключи|перейди в|войди в|выйди из|активируй|вернись в|переключись в|enter|exit|"
    r"switch to|go into|go to|turn on|turn off|leave) (?:свой |your |the )?"
    r"(?:режим тишины|тихий режим|режим молчания|беззвучный режим|режим инкогнито|режим разговора|"
    r"режим диктовки|голосовой режим|текстовый режим|режим отладки|"
    r"режим не беспокоить|режим прослушивания|разговорный режим|режим переводчика|режим шепота|краткий режим|"
    r"quiet mode|silent mode|incognito mode|debug mode|voice mode|text mode|do not disturb(?: mode)?|"
    r"whisper mode|conversation mode|brief mode|dictation mode|listening mode)",
    r"(?:не слушай(?: (?:меня|нас))?|перестань (?:слушать|подслушивать)(?: (?:меня|нас))?|слушай меня|"
    r"хватит слушать|stop listening|don't listen)",
    r"забудь(?:те)? (?:последнее|это|все|последний (?:вопрос|ответ|разговор)|последнюю (?:фразу|реплику|"
    r"запись|команду)|(?:то )?что я (?:только что |сейчас |последнее )?(?:сказал|сказала|говорил|говорила|"
    r"просил|просила)|"
    r"последние (?:слова|две фразы|сообщения)|наш разговор|этот разговор|предыдущее|мои последние слова|"
    r"все что я говорил[а]?|мой последний вопрос|последнее что я сказал[а]?)",
    r"forget (?:that|it|the last (?:thing|one|bit|message|question|command)(?: i said)?|"
    r"what i (?:just )?said|this conversation|our conversation|everything i said|my last (?:message|"
    r"question|words))",
    r"(?:очисти|сотри|удали|clear|erase|wipe|delete) (?:историю|историю (?:разговора|диалога|сообщений|"
    r"чата)|контекст|наш диалог|диалог|наш разговор|"
    r"(?:the |our |this )?(?:conversation|chat|dialogue|context)(?: history)?)",
    r"(?:slower|speak up|медленнее|помедленнее|погромче говори)",
)


def _system(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if utterance.question and not any_of(words, MODAL):
        return None
    if group(match, "order") in ("стой", "тишина", "silence", "quiet") and len(words) > 2:
        return None
    return Decision(Intent.SYSTEM, claimant="system-control")


GRAMMARS = (Grammar("system-control", tuple(f"{_BEFORE}(?P<order>{order}){_END}" for order in _SYSTEM), _system),)
