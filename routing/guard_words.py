"""The closed lexicons of the order guard (`routing.guard`). Words are normalised ("е" for "ё")."""

from __future__ import annotations

import re

from routing.lexicon import words_of

ORDERS = re.compile(
    r"^(?:(?:в|вы|от|под|пере|за)?ключ(?:и|ите|ай|айте|ить|ать)|за(?:жги|жгите|жечь|жигай)|пога(?:си|сите|"
    r"сить)|(?:по)?туш(?:и|ите|ить)|"
    r"(?:от|за|при|рас|пере)кр(?:ой|ойте|ыть|ывай|ывайте|ывать)|(?:по|у|вы|до|пере|пред|вос|за)?став(?:ь|"
    r"ьте|ить|лять|ляй)|установи(?:те|ть)?|"
    r"запус(?:ти|тите|тить|кай|кать)|останов(?:и|ите|ить)|оста?навливай(?:те)?|добав(?:ь|ьте|ить|ляй|ляйте|"
    r"лять)|удал(?:и|ите|ить|яй|ять)|"
    r"убер(?:и|ите)|убрать|убирай(?:те)?|вычеркн(?:и|ите|уть)|вычеркивай|отмен(?:и|ите|ить|яй|яйте|ять)|"
    r"напомн(?:и|ите|ить|ю)|напоминай(?:те)?|"
    r"напоминать|(?:раз)?буди(?:те|ть)?|засек(?:и|ите|ай)|засечь|позвон(?:и|ите|ить)|звони(?:те|ть)?|"
    r"напиш(?:и|ите)|написать|пиши(?:те)?|"
    r"отправ(?:ь|ьте|ить|ляй|лять)|переда(?:й|йте|ть)|перевед(?:и|ите)|заплат(?:и|ите|ить)|оплат(?:и|ите|"
    r"ить)|закаж(?:и|ите)|заказать|заказывай(?:те)?|"
    r"заказывать|куп(?:и|ите|ить)|покупай(?:те)?|вызов(?:и|ите)|вызвать|вызывай(?:те)?|перенес(?:и|ите|ти)|"
    r"созда(?:й|йте|ть)|завед(?:и|ите)|"
    r"сдела(?:й|йте|ть)|дела(?:й|йте|ть)|приглуш(?:и|ите|ить)|прибав(?:ь|ьте|ить|ляй|лять)|убав(?:ь|ьте|"
    r"ить|ляй|лять)|увелич(?:ь|ьте|ить|ивай)|уменьш(?:и|ите|ить|ай)|"
    r"подним(?:и|ите|ай|айте|ать)|поднять|опуст(?:и|ите|ить)|опускай(?:те)?|опускать|запр(?:и|ите)|запирай|"
    r"запирать|запереть|отопр(?:и|ите)|отпереть|"
    r"заблокир(?:уй|уйте|овать)|разблокир(?:уй|уйте|овать)|перезагруз(?:и|ите|ить)|сыграй(?:те)?|"
    r"играй(?:те)?|пропусти(?:те|ть)?|перемота(?:й|йте|ть)|"
    r"вруб(?:и|ите|ай|айте|ать)|выруб(?:и|ите|ай|айте|ать|ить)|скаж(?:и|ите)|спрос(?:и|ите|ить)|попрос(?:и|"
    r"ите|ить)|вскипят(?:и|ите|ить)|разогре(?:й|йте|ть)|"
    r"распечата(?:й|йте|ть)|забронир(?:уй|уйте|овать)|отлож(?:и|ите|ить)|отметь(?:те)?|отметить|закажешь|"
    r"запиши(?:те)?|записать|пропылесос(?:ь|ить)|"
    r"закажете)$"
)
"""Forms of the usual orders, imperative and infinitive."""

ORDERS_EN = words_of(
    "turn switch open close shut play stop pause resume set put add remove delete cancel remind wake call text "
    "send tell ask order buy book pay lock unlock start run launch dim brighten raise lower mute unmute skip move "
    "reschedule create make schedule print boil arm disarm cross restart reboot snooze heat cool activate "
    "deactivate enable disable"
)

NOT = words_of("не нельзя незачем никогда ни ненадо ненужно запрещаю запрещено")
NEGATED_MODALS = words_of(
    "надо нужно стоит вздумай вздумайте смей смейте следует обязательно думай пытайся пробуй можно нельзя незачем "
    "никогда запрещаю запрещено ненадо ненужно рекомендую советую торопись спеши хочется хотелось положено "
    "принято должна должен должны"
)
NOT_EN = words_of("don't dont do-not never shouldn't mustn't not won't cannot can't can‘t doesn't didn't without")
NOT_GENUINE = words_of("хватит перестань перестаньте прекрати прекратите забудь передумал передумала")

REPORTS = words_of(
    "повторяет повторял твердят прочитал прочитала прочел прочла вычитал вычитала читал читала велят приказывает "
    "напоминает напоминал сказал сказала сказали сказано говорил говорила говорили говорит говорят просил просила "
    "просили просит просят попросил попросила попросили велел велела велели приказал приказала приказали крикнул "
    "крикнула кричал кричала кричит орет шепнул шепнула прошептал прошептала ответил ответила написал написала "
    "написали пишет пишут услышал услышала слышал слышала требует потребовал потребовала умолял умоляла советовал "
    "советовала советует посоветовал посоветовала посоветовали предложил предложила предложили предлагает "
    "повторял повторяла заявил заявила твердит твердил бормочет уговаривал уговаривает заставил заставила "
    "заставляет разрешил разрешила запретил запретила запрещает диктует продиктовал рассказал рассказала спросил "
    "спросила спрашивает прикрикнул рявкнул буркнул подумал подумала думал думала обещал обещала обещает пообещал "
    "пообещала пообещали поручил поручила поручили приснилось приснился"
)
REPORTS_EN = words_of(
    "shouts yells screams whispers orders demands begs keeps insists repeats read reads said says told asked asks "
    "tells shouted yelled whispered wrote writes suggested suggests ordered demanded begged heard replied "
    "reminded promised recommended insisted wanted dreamed claimed mentioned"
)
OTHERS = words_of(
    "он она они мама папа жена муж брат сестра сын дочь дочка бабушка дедушка сосед соседка начальник босс "
    "ребенок he she they mom dad wife husband boss"
)

NAMING = words_of(
    "фраза фразу фразы фразой фразе слово слова словом словами слове команда команду команды командой команде "
    "надпись надписью надписи выражение выражения песня песне песни строчка строчку строчки строка цитата цитату "
    "предложение предложении пословица кнопка кнопку кнопки кнопкой название названием фильм фильме книга книге "
    "стих стихе роман заголовок лозунг призыв табличка рубрика игра игре альбом группа кричалка объявление запрос "
    "phrase word words song command sign title titled called line lyrics quote button expression sentence slogan "
    "named headline"
)

IF = words_of("если ежели коли if")
IF_POLITE = (
    "не трудно",
    "не сложно",
    "нетрудно",
    "несложно",
    "можно",
    "можешь",
    "можете",
    "не затруднит",
    "не против",
    "не занята",
    "не занят",
    "получится",
    "удобно",
    "не тяжело",
    "есть возможность",
    "есть время",
    "не лень",
    "что то",
    "что напомни",
    "что включи",
    "что позвони",
    "возможно",
    "нужно",
    "хочешь",
    "не в тягость",
    "сможешь",
    "позволишь",
    "будет время",
    "будет возможность",
    "слышишь",
    "слышно",
    "понимаешь",
)
IF_POLITE_EN = (
    "you can",
    "you could",
    "you don't mind",
    "you dont mind",
    "you would",
    "you please",
    "possible",
    "it's not too much",
    "you wouldn't mind",
    "that's ok",
    "that's okay",
    "you have time",
    "it's ok",
    "it's okay",
    "you may",
    "you will",
    "it's possible",
    "not too",
    "you're able",
    "you do not mind",
    "you're not busy",
)

NARRATIVE = re.compile(
    r" (?:(?:надо|нужно|следовало|стоило|пора|пришлось|приходится|довелось) было|хотел[аи]? (?:было )?[а-я]+(?:ть|"
    r"ти)|"
    r"забыл[аи]? [а-я]+(?:ть|ти)|пришлось [а-я]+(?:ть|ти)|собира(?:юсь|лся|лась|емся|ется) |чуть не |не успел[аи]? |"
    r"реши(?:л|ла|ли) [а-я]+(?:ть|ти)|лень [а-я]+(?:ть|ти)|обычно |всегда |каждый раз |вечно |"
    r"(?:забыла?|пытал(?:ся|ась)|пробовала?|планирую|думаю|боюсь|люблю|умею|могу сам|могу сама) [а-я]+(?:ть|ти))"
    r"|^ (?:сам[аи]? [а-я]+(?:у|ю|ем|им)|i'll|i will|i'm going to|i am going to|i'm gonna|we'll|he'll|she'll|"
    r"they'll|i forgot to|i have to|"
    r"i had to|i meant to|"
    r"i was going to|whenever i|every time i|each time i|i always|i usually|i just|i already) "
)
"""Accounts of one's own doing, past, coming or usual: they hold the infinitive of an order and order nothing."""

PROHIBITION = re.compile(
    r" [а-я]+(?:ть|ти|чь|ться) (?:\S+ ){0,3}?(?:не надо|не нужно|не стоит|не следует|нельзя|ни к чему|незачем|"
    r"необязательно|не обязательно|бессмысленно|бесполезно) "
    r"| (?:there's |there is )?no need to | no reason to | never mind | no point in | stop (?:reminding|telling|"
    r"waking|turning|"
    r"opening|closing|calling|asking|playing) "
)
"""Orders taken back by what stands around them: "напоминать не надо", "no need to remind me"."""

LIKENED = re.compile(
    r" (?:он|она|я|они|мы|мама|папа|жена|муж) (?:мне |ему |ей |нам |им )?(?:такой|такая|такие|типа) "
    r"| не (?:говори|кричи|повторяй|пиши)(?:те)? (?:мне|нам|больше) "
)
"""Reported speech of the street: "она мне такая: включи музыку"."""

HYPOTHETICAL = re.compile(
    r"^ (?:(?:а|и|ну|вот) )*(?:(?:что|а) (?:будет )?если|что было бы|что будет) | (?:а если|представь|"
    r"представьте|представим|допустим|предположим|вообрази|положим|скажем так|можешь представить|вот бы|если бы|"
    r"с чего (?:ты|вы|он|"
    r"она)|зачем (?:ты|вы|мне)|почему (?:ты|вы|он|она)|попробуй(?:те)? (?:только|\S+и|\S+й)|стоит (?:мне |"
    r"только |ему )*\S+ть|"
    r"притворись|притворимся|будто бы|как будто|словно|i wish|should i|should we|what if|what would|what happens|"
    r"imagine|suppose|"
    r"supposing|let's say|pretend|hypothetically|"
    r"теоретически|чисто теоретически|theoretically|как если бы|was i to|were i) "
)

_RU_FIGURES = (
    r"(?:открой|открыть|открывай|прекрати) огонь",
    r"закрой амбразуру",
    r"(?:погаси|потуши|выключи|зажги) (?:луну|солнце|звезды)",
    r"(?:выключ|прекра|закр|остано)\S+ (?:\S+ ){0,2}?(?:цирк|балаган|концерт по заявкам|шарманку|истерику)",
    r"зажигай(?:те)?(?: (?:детка|народ|давай|по полной))?",
    r"(?:от|при|рас)кр(?:ой|ойте|ыть|ывай|ою) (?:\S+ ){0,2}?(?:тайн\S+|секрет\S*|душ[уи]|сердц\S+|глаза|"
    r"истин\S+|правду|чакр\S+|третий глаз|карты|ум|сознание|америку|"
    r"ящик пандоры|шкатулку|талант\S*|потенциал|скобк\S+|мир|новые горизонты|горизонты|личико|ларчик)",
    r"закр(?:ой|ойте|ыть|ывай|ою) (?:\S+ ){0,2}?(?:рот|рты|тему|вопрос|глаза|гештальт\S*|варежку|хлебало|"
    r"пасть|клюв|уши|душу|сердце|прошлое|скобк\S+|счет с|"
    r"страницу (?:прошлого|жизни)|рот на замок)",
    r"включ(?:и|ите|ить|ай|айте) (?:\S+ ){0,2}?(?:дурачк\S+|голов[уы]|мозг\S*|фантази\S+|воображени\S+|дурака|"
    r"дурочку|дуру|логик\S+|соображалк\S+|совесть|режим бога|заднюю|"
    r"харизму|обаяние|женственность|внутренн\S+|здравый смысл|разум|интуицию|игнор|режим дурака|"
    r"тумблер в голове|юмор|сердце|память)",
    r"(?:вы|от)ключ(?:и|ите|ить|ай|айте) (?:\S+ ){0,2}?(?:голов[уы]|мозг\S*|дурака|дурочку|эмоци\S+|"
    r"чувств\S+|фантази\S+|внутренн\S+|совесть|режим дурака|сердце|память|разум)",
    r"(?:за)?(?:жги|жгите|жечь|жги-ка) (?:\S+ ){0,2}?(?:звезд\S+|сердц\S+|искр\S+|надежд\S+|танцпол\S*|"
    r"душ[уи]|толпу|публику|по полной|во мне|в сердце|в душе|не по-детски|нашу любовь)",
    r"(?:по)?га(?:си|сите|сить) (?:\S+ ){0,2}?(?:надежд\S+|пыл|любовь|мечт\S+|порыв\S*|страсть|огонь в|"
    r"конфликт|его пыл)",
    r"(?:по)?став(?:ь|ьте|ить) (?:\S+ ){0,2}?(?:точку(?! доступа)|крест|себя|на место|в тупик|под сомнение|"
    r"на ноги|в угол|рекорд|на кон|диагноз|под удар|ребром|палки|на уши|на колени|в известность|в пример|"
    r"свечку)",
    r"подн(?:ими|имите|ять|имай) (?:\S+ ){0,2}?(?:настроени\S+|вопрос\S*|дух|тему|бокал\S*|на смех|"
    r"боевой дух|ставк\S+|самооценку|паруса|целину|планку|белый флаг|руку)",
    r"опус(?:ти|тите|тить|кай) (?:\S+ ){0,2}?(?:руки|голову|глаза|планку|нос|детали|подробности)",
    r"останов(?:и|ите|ить) (?:\S+ ){0,2}?(?:мгновени\S+|землю|планету|время|войну|это безумие|насилие|"
    r"кровопролитие|мир)",
    r"(?:раз|про)?буди(?:те|ть)? (?:\S+ ){0,2}?(?:зверя|чувств\S+|совесть|надежд\S+|во мне|в себе|в нем|"
    r"в ней|дракона|фантазию|воображение|лихо|вулкан|лучшее|интерес|"
    r"воспоминани\S+|любовь|спящ\S+ (?:силу|красавицу|медведя)|страсть)",
    r"(?:вычеркни|вычеркнуть|сотри|удали|выкинь|выбрось|убери) (?:\S+ ){0,3}?из (?:своей |моей |твоей |"
    r"нашей |ее |его )?(?:жизни|памяти|сердца|головы|души|мыслей|истории)",
    r"убер(?:и|ите) (?:\S+ )?(?:руки|лапы|ноги|взгляд)",
    r"напомн(?:и|ить|ите) о себе",
    r"переда(?:й|ть|йте) (?:\S+ )?(?:эстафету|по наследству)",
    r"(?:за)?блокир(?:уй|овать) (?:\S+ )?(?:эмоции|негатив|воспоминания)",
    r"разблокир(?:уй|овать) (?:\S+ )?(?:потенциал|чакры|талант)",
    r"перезагруз(?:и|ить|ите) (?:\S+ ){0,2}?(?:мозг\S*|голову|жизнь|отношения|мышление|себя морально)",
    r"запус(?:ти|тить|тите) (?:\S+ ){0,2}?(?:руку|козла|утку|слух\S*|ежа|метаболизм|процесс старения|пыль|"
    r"себя|болезнь|изменения в)",
    r"выпуст(?:и|ить) (?:\S+ )?(?:пар|джинна|зверя)",
    r"добав(?:ь|ить|ьте) (?:\S+ ){0,2}?(?:огоньку|перцу|перчинки|масла в огонь|красок в|драйва|изюминк\S+|"
    r"позитива|оптимизма|жару)",
    r"убав(?:ь|ить|ьте) (?:\S+ ){0,2}?(?:пыл|гонор|спесь|прыть|амбиции|тон)",
    r"сбав(?:ь|ить|ьте) (?:обороты|тон|спесь)",
    r"(?:от|за)лож(?:и|ить) (?:\S+ )?в долгий ящик",
    r"(?:за)?плати(?:ть|те)? (?:\S+ ){0,2}?(?:той же монетой|добром за|по счетам судьбы)",
    r"куп(?:и|ить|ите) (?:\S+ ){0,2}?(?:кота в мешке|слона|счастье|любовь|время)",
    r"позвон(?:и|ить) (?:\S+ )?(?:в колокола|богу|в небеса)",
    r"наве(?:ди|сти) (?:\S+ )?(?:тень на плетень|мосты)",
    r"сними (?:с меня |с него )?(?:маску|розовые очки|груз|камень|корону)",
    r"(?:за)?кр(?:ой|ыть) (?:за собой )?дверь в (?:прошлое|детство|мое сердце|жизнь)",
    r"(?:от|за)кр(?:ой|ойте|ыть|ывай) (?:\S+ ){0,3}?(?:двер[ьи]|окн[оа]|"
    r"ворота) (?:\S+ ){0,2}?(?:возможност\S+|в (?:\S+ )?(?:будущее|прошлое|жизнь|душу|сердце|детство|"
    r"сказку|мир|рай|ад|новую жизнь)|"
    r"души|сердца|рая|ада|счастья|судьбы|познания|удаче|счастью|любви|переменам|новому)",
    r"(?:включи|зажги|погаси|выключи|потуши) (?:\S+ )?(?:свет|огонь|лампу|"
    r"лампочку) (?:\S+ ){0,2}?(?:в (?:душе|сердце|глазах|голове|конце|моей душе|моем сердце|своей душе|"
    r"моей жизни|твоих глазах)|надежды|разума|истины|любви|знаний)",
)
_EN_FIGURES = (
    r"open sesame",
    r"(?:close|turn off) (?:the|this) circus",
    r"open (?:up )?(?:\S+ ){0,2}?(?:heart|mind|eyes|soul|secret|secrets|pandora's|can of worms)",
    r"(?:close|shut) (?:\S+ )?(?:eyes|mouth|heart|mind|your trap|your face|that chapter|the chapter|"
    r"the book on)",
    r"(?:open|close) (?:\S+ )?(?:door|doors|window|windows) (?:to|of|on) (?:\S+ )?(?:opportunity|"
    r"opportunities|future|past|possibility|possibilities|heart|soul|negotiations|success|happiness)",
    r"(?:turn|switch|shut) (?:off |on |down )?(?:your|my|his|her) (?:brain|brains|charm|mind|feelings|"
    r"emotions|humor|imagination|head|heart)(?: off| on)?",
    r"turn on the (?:charm|waterworks|heat on)",
    r"turn (?:\S+ )?(?:the tables|the page|the tide|over a new leaf|a blind eye|back time|back the clock|"
    r"heads|the other cheek|water into wine)",
    r"light (?:up )?(?:my|his|her|your|our) (?:fire|life|world|heart|eyes)",
    r"light a fire (?:under|in)",
    r"light up the (?:world|night with|dance floor)",
    r"play (?:\S+ )?(?:the fool|dumb|dead|god|it cool|it by ear|with fire|hard to get|devil's advocate|"
    r"the victim|possum|your cards|second fiddle|me for a fool|the blame game)",
    r"stop (?:the clock|time|the world|the madness|breaking my heart|the bleeding)",
    r"call (?:it a day|the shots|my bluff|his bluff|a spade)",
    r"drop (?:the ball|a bomb|the act|a hint|the subject|it like)",
    r"wake (?:up )?(?:the beast|the demon|the dead|the dragon|the giant)",
    r"raise (?:the bar|hell|the roof|the stakes|your spirits|the dead)",
    r"lower (?:your|my) (?:expectations|guard|standards)",
    r"kill the (?:mood|vibe|messenger)",
    r"set (?:the stage|the bar|the tone|the world on fire|my heart|your mind|your heart|"
    r"the record straight|sail)",
    r"lock (?:lips|horns|it in)",
    r"unlock (?:your|my|the) (?:potential|talent|secrets|mysteries|power|inner)",
    r"pay (?:attention|the piper|the price|lip service|homage)",
    r"send (?:shivers|chills|in the clowns)",
    r"pause (?:for thought|for reflection|and reflect)",
    r"cross (?:my|your|his|her) (?:heart|fingers|mind)",
    r"put (?:yourself in|your foot|on a brave face|on a happy face|the cart before)",
    r"turn up the heat on",
    r"add (?:fuel to|insult to|spice to|some spice to)",
    r"remind me of (?:my|the good old|home|childhood|someone|somebody|him|her|you|who i am)",
    r"move (?:mountains|heaven and earth|the goalposts|the needle)",
    r"cancel (?:culture|each other)",
    r"book it out",
    r"buy (?:time|me some time|happiness|love)",
)
FIGURES = re.compile(r" (?:" + "|".join((*_RU_FIGURES, *_EN_FIGURES)) + r")(?= )")

WANTS = words_of(
    "затруднит трудно сложно хочу хотим хотел хотела хотелось хочется прошу просим попрошу можешь можете мог "
    "могла могли можно сможешь нужно надо нужен нужна нужны пора давай давайте требуется желаю будь будьте хватит "
    "необходимо пусть пускай поехали погнали включаем выключаем закрываем открываем ставим запускаем"
)
ASIDE = words_of(
    "слушай слушайте послушай смотри смотрите знаешь представляешь понимаешь извини извините прости простите "
    "скажи-ка пожалуйста будь хватит нет есть пойдет кажется похоже видимо стало стал получается значит темно "
    "душно холодно жарко пусти знай свет окно суп три пять семь мой твой свой моей твоей своей той этой день тень "
    "дверь дверью дети речь ночь печь дочь лень пока тебе мне стоп шторы часы маме лене гости можете двери окна "
    "чай край двое трое весь здесь очень опять теперь вести ушли пошли пришли вышли зашли нашли были стали дошли "
    "сошли легли прошли ехали перешли"
)

OWN_DONE = re.compile(
    r" (?:я|мы) (?:(?:уже|сам|сама|сами|вчера|сегодня|утром|вечером|ночью|только|что|еще|давно|недавно|тоже|и|все|"
    r"его|ее|их|тебе|потом|вообще|тогда|час|назад) ){0,4}[а-я]{2,}л[аи]?(?:с[ья])? "
    r"|^ (?:the|a|an|my|our|that|this|those|these|all|both) (?:\S+ ){1,6}?(?:i|we|i've|we've) "
    r"(?:(?:have|had|already|myself|just|ourselves) ){0,3}"
    r"(?:[a-z]+ed|set|put|shut|took|made|sent|told|bought|paid|wrote|got|did|unset) "
)
"""One's own finished doing, whatever stands in front of it: "напоминание про врача я уже снял"."""

_NO_TIME = r"(?:лень|некогда|неохота|сил нет|нет сил|нет времени|времени нет|руки не доходят|не хочется|не судьба)"
WISHES = re.compile(
    r" (?:(?:когда|как|чего)[- ]?нибудь|потом|попозже|позже|однажды|как то раз|может|может быть|возможно|наверное) "
    r"(?:\S+ ){0,3}?(?:по)?прошу "
    r"| (?:надо|нужно|хорошо|неплохо|стоило) бы (?:(?:\S+ ){0,2}?(?:когда|как)[- ]нибудь |(?:\S+ ){1,9}?"
    + _NO_TIME
    + r" )"
    r"| [а-я]{2,}(?:ть|ти|чь|ться|тись|чься) бы "
    r"| if you could only (?:\S+ ){0,9}?(?:back|again|last|ago|past|yesterday) | if only "
    r"|^ (?:\S+ )?(?:i )?wish (?:i|we|you|it|the|some\S+) "
    r"| i wish "
    r"| (?:some ?day|one day|maybe later|perhaps later|sometime|maybe) (?:\S+ ){0,4}?(?:ask|asking) you "
    r"| (?:turn|set|wake|take|bring) (?:\S+ ){0,3}?back in (?:\d{4}|nineteen|the \S+s|those days|time) "
)
"""A wish, or an order put off to no day at all."""

THREATS = re.compile(
    r" только (?:по)?(?:пробуй|смей)(?:те)? | (?:по)?(?:пробуй|смей)(?:те)? (?:мне )?только "
    r"| just you (?:try|dare) |(?:^| don't| dont| how) you (?:even |ever )?dare "
)

TAKEN_BACK = re.compile(
    r" (?:не (?:разрешен[оаы]?|разрешал[аи]?|разрешаю|позволен[оаы]?|позволял[аи]?|дозволен[оаы]?|положен[оаы]?|"
    r"велено)|запрещен[оаы]?|воспрещен[оаы]?|нельзя|ни к чему|незачем|не для чего|не за чем|нечего|необязательно|"
    r"не обязательно|"
    r"не (?:твое|ваше) дело) "
)
"""Denied or needless, wherever the infinitive stands: "открывать ворота тебе не разрешено", "нечего меня будить"."""

OATHS = re.compile(r" (?:(?:по)?обещай(?:те)?|поклянись|дай слово) (?:\S+ ){0,4}?(?:не|никогда|ни) ")
DENIED_EN = re.compile(
    r" (?:you|we|one) (?:needn't|neednt|need not|don't have to|dont have to|are not to|aren't to) "
    r"| (?:nobody|no one|noone|no-one|none of you) (?:gets? to|may|can|must|should|(?:is|are) (?:allowed|permitted|to)|"
    r"has to|ought) "
    r"| (?:you are|you're) (?:not|never) (?:to|allowed|permitted|supposed) | you (?:may|must) (?:not|never) "
    r"| you aren't (?:to|allowed|permitted|supposed) | quit [a-z]{2,}ing "
    r"| stop (?:switching|setting|shutting|dimming|locking|unlocking|putting|moving|changing|adding|removing|deleting|"
    r"cancelling|canceling|sending|ordering|buying|making|messing|fiddling|touching|doing|trying|bugging|nagging|"
    r"interrupting|pausing|skipping|raising|lowering|muting|pressing|restarting|rebooting|activating) "
)

SAYINGS = re.compile(
    r" (?:предложение|диктант|присказка|поговорка|пословица|прибаутка|лозунг|девиз|слоган|кредо) "
    r"| (?:его|ее|их|мо[йяи]|тво[йяи]|наш[аи]?|любим\S+|коронн\S+|вечн\S+|мамин\S*|папин\S*|дедов\S*|народн\S+|"
    r"стар\S+|бабушкин\S*) (?:слова|словечко|фраза|фразочка|правило|принцип|заповедь) "
    r"| (?:motto|catchphrase|saying|slogan|mantra|proverb) (?:is|was|goes|says) "
)
"""Names of a saying, in front of the saying itself."""
AS_THEY_SAY = re.compile(
    r" как (?:(?:в народе|у нас|раньше) )?(?:говорится|говорят)(?: в народе)? |^ как (?:\S+ )?(?:говорит|говорил[аи]?|"
    r"говаривал[аи]?) | as (?:they|people|folks|some) (?:always |often )?say | as the (?:saying|song) goes "
    r"|^ as (?:\S+ ){1,2}(?:used to say|always says?|says) "
)

_ENDS = r"(?:за)?(?:кончи(?:тся|лся|лась|лось)|пройдет|уляжется|наладится|утихнет)"
_MESS = (
    r"(?:цирк|кошмар|бардак|дурдом|балаган|ужас|бред|год|век|кризис|война|зима|карантин|маразм|позор|концерт|"
    r"безумие|сумасшествие|эпоха|жизнь)"
)
WAITING = re.compile(
    r" (?:(?:раз)?буди(?:те|ть)?|напомни(?:те)?) (?:\S+ ){0,4}?(?:когда|как|как только) (?:\S+ ){0,5}?(?:"
    rf"{_ENDS} (?:\S+ ){{0,3}}?{_MESS}|{_MESS} {_ENDS}|(?:все|все это|это все|наконец) {_ENDS}|{_ENDS} все) "
    r"| (?:раз)?буди(?:те|ть)? (?:\S+ ){0,2}?через (?:сто|тысячу|миллион|\d{2,}) лет "
    r"| wake me (?:\S+ ){0,2}?when (?:it's|it is|all this is|this is|everything is|everything's|that's|all of this is) "
    r"(?:all |finally )?over "
    r"| wake me (?:\S+ ){0,2}?when (?:\S+ ){0,3}?(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december|monday|week|winter|summer|year|decade|war|"
    r"nightmare|madness|circus|mess|chaos|crisis|insanity) "
    r"(?:ends?|is (?:finally |all )?over|stops?|is done|passes) "
)
"""Sleeping through it: "разбуди меня, когда кончится этот цирк"."""

SPEAKING = re.compile(r" (?:слышать|(?:с|про)?говор\w+|сказа\w+|крича\w+|повторя\w+|пиши\w*|say|tell me|shout|repeat) ")
BE_SO_KIND = words_of("милость одолжение вид выводы паузу favor")
VERBAL_EN = words_of("is are was were will has have had can could needs need it's he's she's that's there's i'm we're")
SUBJECTS_EN = words_of(
    "the a an my our his her their this that it he she they we i there it's he's she's they're we're i'm there's "
    "dinner lunch breakfast school work everything everyone somebody someone mom dad"
)
