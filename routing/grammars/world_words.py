"""The closed words of the definition, sum and release grammars."""

from __future__ import annotations

from routing.lexicon import words_of
from routing.times.en_words import CARDINALS as CARDINALS_EN
from routing.times.en_words import TENS as TENS_EN
from routing.times.ru_words import CARDINALS

STARTS_ASIDE = words_of(
    "ты я он она оно они мы вы с со у в во на там тут здесь к ко от до из за под над без опять снова сегодня "
    "вчера завтра сейчас теперь происходит случилось стряслось творится "
    "было будет был была были стало случается могло может можно нужно надо делать сделать говорит говорят "
    "говоришь ты-то ли же бы и но а или если когда где как почему зачем "
    "хороший плохо-то особенного интересного нового важного важное срочное стоит лежит висит играет звучит "
    "звонит пришло пришел приходило гудит шумит воняет пахнет горит мигает пищит"
)
"""Words after which "что такое" asks what happened, or about a thing at hand."""

FINITE = words_of(
    "случилось происходит стряслось творится произошло случилось-то делаешь говоришь сказал сказала сказали "
    "купил купила записал записала стоит лежит висит гудит пищит мигает шумит звонил звонила "
    "звонит приходил приходила пришел пришла приехал стучит стучался заходил натворил натворила придумал придумала"
)
"""Verbs of a clause: who did something is no definition."""

NEAR_HERE = words_of(
    "подвале гараже кладовке холодильнике шкафу кармане сумке столе двери дверью доме дома квартире комнате "
    "кухне чердаке снизу сверху напротив"
)
KIN = words_of(
    "мама папа мать отец бабушка дедушка бабуля дедуля тетя дядя брат сестра жена муж сын дочь дочка племянник "
    "племянница тесть теща свекровь свекор невестка зять "
    "кузен кузина сосед соседка начальник шеф коллега босс одноклассник однокурсник"
)
"""People that are somebody's: "кто такая тётя Люба" is about the owner's family."""

PRIVATE_EN = words_of(
    "time date day weather temperature forecast news headlines plan plans schedule agenda password passcode "
    "code pin address wifi wi-fi ip status state volume song track playing next list todo "
    "shopping score humidity battery level alarm alarms timer timers reminder reminders meeting meetings "
    "appointment task tasks calendar balance lights door doorbell thermostat kitchen bedroom "
    "bathroom garage basement attic fridge freezer upstairs downstairs house home living-room living hallway "
    "oven printer router server backup disk plumber electrician nanny babysitter neighbor "
    "neighbour dentist landlord dog cat mom mum dad mother father sister brother wife husband son daughter "
    "aunt uncle grandma grandpa boss colleague phone number wifi-password there here "
    "call calls email emails message messages note notes rest matter problem point deal catch story joke "
    "package delivery dinner lunch breakfast menu homework plate feed subscriptions "
    "update updates version release latest newest current progress queue load uptime occasion due deadline "
    "traffic commute eta route way plumber's sensor sensors"
)
"""English nouns that are at hand or the owner's own: what is asked of them has its own source."""

NUMBERS = (
    frozenset(CARDINALS)
    | frozenset(CARDINALS_EN)
    | frozenset(TENS_EN)
    | words_of(
        "hundred thousand million billion тысяча тысячи тысяч тысячу тысячей тысячам тысячами миллион миллиона "
        "миллионов миллионам миллиард миллиарда миллиардов полтора полторы полутора пол "
        "двести двухсот трехсот четырехсот пятисот шестисот семисот восьмисот девятисот двумстам тремстам пятистам "
        "сотня сотни сотен ноль нуль "
        "десятка один два три первая вторая третья четвертая четвертых пятая шестая десятая десятых сотых пи"
    )
)
SUM_STRONG = words_of(
    "плюс умножить умноженное умноженные помножить разделить деленное поделить процент процента процентов "
    "процентам % + * = × ÷ √ ^ дважды трижды четырежды квадрат квадрате степени степень куб кубе корень "
    "вычесть прибавить отнять сложить times plus multiplied divided percent minus squared cubed power root "
    "factorial факториал пятью шестью семью восемью девятью сумма разность произведение частное log логарифм синус "
    "косинус"
)
OPERATORS = SUM_STRONG | words_of(
    "раза раз минус на и от − / from by over половина половину треть четверть half third quarter"
)
SUM_WORDS = OPERATORS | words_of(
    "если в во из к с до это будет равно по же целых целая сотых десятых a an the of to and if is what делить "
    "множить разделенное делённое раз еще минус плюс квадратный кубический квадратного кубический "
    "square cube raised equals пожалуйста ноль числа число чисел числу ка мне нам четвертей третьих пример "
    "примера второй третьей четвертой пятой десятой second third fourth скобка открывается закрывается откр"
)
UNITS = words_of(
    "миля мили миль милях километр километра километров километры километрах километре метр метра метров "
    "метрах метре сантиметр сантиметра сантиметров сантиметрах дюйм дюйма дюймов дюймах фут фута футов футах ярд "
    "ярда ярдов "
    "килограмм килограмма килограммов килограммах килограмме кг грамм грамма граммов граммах фунт фунта фунтов "
    "фунтах унция унции унций унциях литр литра литров литрах галлон галлона галлонов галлонах градус градуса "
    "градусов "
    "цельсия фаренгейта фаренгейту цельсию кельвина кельвинах доллар доллара долларов долларах доллары долларе "
    "евро рубль рубля рублей рублях рубли юань юаня юаней юанях фунты иен иены тенге гривен лир биткоин биткоина "
    "биткоинов мегабайт мегабайта мегабайтов мегабайтах "
    "гигабайт гигабайта гигабайтов гигабайтах терабайт терабайта терабайте килобайт байт байтах бит км см мм м "
    "л г узел узла узлов узлах минут минуты минутах часов часа часах час секунд секунды секундах секунда день дней "
    "дня днях год году неделе неделя гектар гектара гектаров гектарах соток "
    "mile miles kilometer kilometers kilometre kilometres km meters metres meter inch inches foot feet yard "
    "yards pound pounds kilogram kilograms kilos kg gram grams ounce ounces liter liters litre litres gallon gallons "
    "cup cups tablespoon tablespoons "
    "teaspoon teaspoons celsius fahrenheit degrees kelvin dollar dollars euro euros ruble rubles yen usd eur "
    "rub gbp bitcoin megabyte megabytes gigabyte gigabytes mb gb tb terabytes bytes bits minutes hours seconds days "
    "weeks acres hectares stone cm mm"
)

SOFTWARE = words_of(
    "питон питона питоне пайтон пайтона линукс линукса ядра ядро ядру убунту дебиан дебиана федора федоры арча "
    "постгрес постгреса постгре докер докера кубернетис кубернетеса кубернетис андроид андроида андроиде айос винда "
    "винды виндоус "
    "хром хрома хрому файрфокс файрфокса фаерфокс нода ноды джанго раст раста растa флаттер флаттера реакт "
    "реакта телеграм телеграма блендер блендера энджинкс нжинкс редис редиса гит гита джава джавы котлин котлина "
    "свифт свифта пхп мускул "
    "айфона макос макоси яндекс-браузера браузера браузер опера оперы тайпскрипт тайпскрипта ангуляр вью "
    "хоум-ассистант ассистанта ассистант терраформ терраформа ансибл ансибла прометеус прометеуса графана графаны "
    "монго монги эластик "
    "эластика кафка кафки гоу го голанг голанга руби рельс юнити анрил годот обсидиан обсидиана проксмокс "
    "проксмокса трунас опенврт openwrt алпайн нуксос "
    "python linux ubuntu debian fedora arch kernel postgres postgresql docker kubernetes android ios windows "
    "chrome firefox node nodejs node.js django rust flutter react telegram blender nginx redis git java kotlin swift "
    "php mysql "
    "macos typescript angular vue terraform ansible prometheus grafana mongodb elasticsearch kafka go golang "
    "ruby rails unity unreal godot obsidian proxmox truenas alpine nixos freebsd vscode vim neovim gcc llvm clang "
    "cuda pytorch tensorflow "
    "numpy pandas bun deno zig elixir haskell scala perl julia bash systemd wayland gnome kde llama.cpp ollama "
    "vllm ray qt cmake safari edge excel office"
)

DOCUMENTS = words_of(
    "договора договор отчета отчет отчету презентации презентация документа документ документов файла резюме "
    "сценария песни песня событий событие заметки заметка статьи книги правил устава сметы бюджета макета дизайна "
    "логотипа "
    "плана таблицы письма диплома курсовой фильма альбома истории рассказа рецепта моды мема анекдота "
    "законопроекта закона следствия произошедшего контракта чертежа черновика "
    "contract document report story events song book essay draft presentation resume cv proposal recipe law "
    "bill design logo spreadsheet budget note notes letter thesis movie album"
)
"""What has versions and is no software."""
