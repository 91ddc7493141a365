"""The closed words of the Praxis grammars."""

from __future__ import annotations

from routing.lexicon import words_of

STATIVE: dict[str, str] = {
    "praxis-complete": (
        "готово готов готова готовы сделано сделан сделана сделаны выполнено выполнен выполнена выполнены "
        "завершено завершен завершена "
        "завершены закончено закончен закончена закончены доделан доделана доделано доделаны дописан дописана дописано"
    ),
    "praxis-accept": "принято принят принята приняты",
}
"""Claimant to its stative words; in Russian they agree with the item."""

STATIVE_EN: dict[str, str] = {
    "praxis-complete": "done|complete|completed|finished|all done|ready",
    "praxis-accept": "accepted",
}

ADVERBS = words_of(
    "уже наконец наконец-то полностью вот все-таки таки совсем окончательно да сегодня только что тоже как же "
    "ура ок окей итак отлично "
    "на потом позже попозже later пока снова лучше снова просто еще опять ладно тогда "
    "already finally now just yes ok okay so great again"
)
"""Words around an item or an imperative that name nothing."""

BEING = words_of("уже наконец наконец-то полностью точно тоже окончательно совсем is are already finally now")

SENTENCE = words_of(
    "почти скоро никогда ничего никто никак еще пока не был была было были будет будут бы ли когда пока если "
    "вроде наверное кажется "
    "может возможно должен должна должно должны нужно надо хочу чтобы почему зачем жаль хотя потому поэтому только "
    "almost nearly soon when until before once after while maybe probably should must needs want will was were "
    "what whatever "
    "who how why not hardly barely if there's am get got getting being be i'm"
)
"""Words that make of a stative frame a sentence about something else than a thing being done now."""

NOT_ITEMS = words_of(
    # people and what stands for them
    "я ты он она оно мы вы они все всё кто кто-то никто всяк каждый оба обе сам сама сами мама папа муж жена "
    "сын дочь дочка дети брат сестра "
    "бабушка дедушка друг подруга друзья ребята команда коллега начальник шеф босс врач доктор малыш ребенок "
    "дитя кот кошка собака "
    "клиент студент ученик пациент гость гости водитель сосед соседи люди народ человек парень девушка мужик "
    "саша маша петя вася оля лена ира "
    "катя миша дима юля таня аня андрей сергей алексей иван николай олег "
    # the kitchen, where "ready" is about food
    "ужин обед завтрак еда суп борщ каша чай кофе пицца мясо курица рыба пирог торт салат шашлык блины котлеты "
    "макароны рис картошка "
    "ванна баня сауна постель плов яичница омлет тесто пюре бульон dinner lunch breakfast supper food coffee "
    "tea pizza soup meal cake rice "
    "chicken pasta steak water bath turkey roast laundry laundromat kids she he they we you i it everyone "
    "everybody nobody nothing everything "
    "something anything someone mom dad my-wife this that well easier never easy ever over under half said "
    "mission game "
    # phrases in which the word is no lifecycle
    "спасибо хорошо плохо отлично здорово так как что-то что-нибудь чем к ко вот давно решение закон меры мера "
    "экзамен экзамены роды приказ "
    "пост вызов душ участие вид образ гости вовнутрь считать говорить думать везде нигде здесь там тут "
    "исторически по-русски "
    "умно красиво зря правильно неправильно вручную на-совесть сердце обувь самолет поезд рейс россия магазин аптека "
    "звонок посылка урок день матч игра фильм сериал концерт сезон праздник зима лето война год неделя "
    "загрузка зарядка обновление установка скачивание загрузка-то"
    " all good made job nicely good-job stick fork damage deal whats enough he's she's they're we're you're "
    "i've offer-letter "
    "всегда будь будьте ставки ошибка выбор жребий пожалуйста плиз please thanks thank apology cheers мерси благодарю "
    "поспорить ко-всему помочь ждать верить"
)
"""Words that are no obligation, whoever says they are ready, done or accepted."""

BARE = words_of(
    "закрой закрывай отложи прими отметь пометь сделай включи выключи поставь напомни запиши добавь удали "
    "скажи покажи remind set add mark turn"
)
"""Orders: with one of them the utterance is no statement."""
