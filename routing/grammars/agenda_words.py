"""The closed words of the calendar and agenda grammars."""

from __future__ import annotations

from routing.lexicon import words_of

EVENTS = words_of(
    "встреча встречи встречу встрече встречей встреч встречах созвон созвона созвоне созвоны созвонов "
    "совещание совещания совещанию совещаний планерка планерки планерку "
    "планерке планерок стендап стендапа стендапы прием приема приеме приемы визит визита визиты тренировка "
    "тренировки тренировку тренировке тренировок "
    "собеседование собеседования собеседований собес собеса звонок звонка звонки звонков репетиция репетиции "
    "репетицию репетиций урок урока уроки уроков занятие занятия занятий "
    "лекция лекции лекцию лекций пара пары экзамен экзамена экзамены консультация консультации консультацию "
    "митинг митинга мит мита ретро демо собрание собрания собраний "
    "событие события событий мероприятие мероприятия мероприятий вебинар вебинара вебинары запись записи сеанс "
    "сеанса свидание свидания интервью синк семинар "
    "семинара зачет зачета йога йоги массаж массажа маникюр маникюра стрижка стрижки стрижку дейли дейлик "
    "ревью груминг брифинг летучка летучки встречи-то "
    "meeting meetings call calls appointment appointments standup stand-up sync syncs interview interviews "
    "lesson lessons class classes rehearsal "
    "workout workouts training session sessions event events lecture lectures webinar checkup check-up haircut "
    "therapy one-on-one 1-1 retro retrospective "
    "demo briefing dentist consultation seminar exam exams review"
)
"""Nouns of events that are somebody's own."""

PUBLIC_EVENTS = words_of(
    "концерт концерта матч матча игра игры спектакль спектакля фильм сеансы рейс рейса рейсы самолет самолета "
    "поезд поезда автобус автобуса электричка электричку "
    "вылет вылета вечеринка вечеринки вечеринку свадьба свадьбы свадьбу ужин ужина обед обеда дежурство "
    "дежурства смена смены отпуск "
    "concert game match show movie flight train bus wedding party dinner lunch shift gig"
)
"""Event nouns that are public unless the owner's own is asked."""

PUBLIC = words_of(
    "спартак спартака зенит зенита цска динамо локомотив локомотива локо реал реала барселона барселоны "
    "ливерпуль ливерпуля арсенал арсенала челси "
    "манчестер нхл кхл рпл уефа фифа лиги лига чемпионат чемпионата кубок кубка кубке финал финала сборная "
    "сборной сборных россии россия украины сша китая франции "
    "германии путин путина путиным трамп трампа трампом зеленского зеленский байден байдена макрона лукашенко "
    "президент президента президентов министр министра министров "
    "лидеров саммит саммита оон нато ес брикс g20 большой двадцатки госдумы парламента депутатов правительства "
    "выборы выборов олимпиада олимпиады "
    "евровидение евровидения трансляция трансляции эфир эфира канал канале тв телевизору apple google тесла "
    "маск маска оскар "
    "бельгии италии испании японии кореи индии глав государств королева короля певицы певца группы фанатов боя "
    "боксеров формулы эпл гугл "
    "spartak zenit lakers chelsea arsenal liverpool nba nfl nhl uefa fifa super bowl world cup final premier "
    "league president trump putin biden election "
    "olympics oscars eurovision congress senate parliament summit un nato wwdc keynote spacex nasa season episode"
)
"""What makes an event noun a public one."""

OTHER_CALENDARS = words_of(
    "майя лунный лунному лунного лунном церковный церковному церковном церковного православный православному "
    "православном григорианский григорианскому григорианского юлианский "
    "юлианскому юлианского китайский китайскому китайского восточный восточному еврейский исламский народный "
    "народному революционный садовода огородника посевной "
    "посевному огородный адвент адвент-календарь производственный производственному настенный настольный "
    "перекидной отрывной бумажный ацтеков чемпионата кубка матчей игр рпл нхл кхл лиги тура "
    "сезона гонок релизов праздников знаменательных рыболова лучше лучший выбрать купить стоит-ли скачать "
    "установить изобрели придумали выиграть придумал создал "
    "mayan lunar gregorian julian chinese jewish hebrew islamic orthodox advent wall academic fiscal buy best "
    "invented invent app software nba nfl premier league release"
)

MAKING = words_of(
    "добавь добавьте добавить запиши запишите записать внеси внесите внести занеси занести поставь поставьте "
    "поставить создай создать удали удалить убери убрать отмени отменить "
    "перенеси перенести запланируй запланировать назначь назначить забей забронируй вычеркни очисти очистить "
    "напиши купи купить закажи распечатай напечатай синхронизируй подключи "
    "вставь впиши перепиши измени поменяй сдвинь выброси подари подарили подарил повесь повесил повесила "
    "повесили сделай включи выключи "
    "add put create schedule-a delete remove cancel move book clear sync connect print buy change reschedule update set"
)
"""Orders: with one of them it is no question."""

FOREIGN = words_of("тебя тебе твоем твой твоего вашем your yours его ее их his her their")

OWN_WORDS = words_of(
    "я мы меня мне нас нам мой моя мое мои моего моей моих моем моему моим мою наш наша наше наши нашего нашей "
    "наших нашем нашу мной i i've i'm i'll me my mine we we've we're our us"
)

QUESTION_HEADS = words_of(
    "что чего че какие какое какая какой есть покажи покажите посмотри посмотрите проверь проверьте прочитай "
    "прочти зачитай глянь загляни скажи расскажи открой озвучь назови перечисли "
    "сколько когда во пуст свободен свободно нет найди дай подскажи сверься у в по на стоит имеется значится "
    "чем какого ну мне можешь "
    "what what's whats is are anything show check read tell open how when do does have look list any which "
    "give can pull see what're on"
)

_SMALL = words_of(
    "что чего че какие какое какая какой есть ли же там тут сейчас у в во на по из за к ко с до и а да ну мне "
    "нам меня нас мой моя мое мои моего моей моем моих наш наша наши нашем наше нашей "
    "что-нибудь что-то чего-нибудь чего-то что-либо какие-нибудь какие-то какое-нибудь какое-то еще ещё вообще "
    "интересного важного нового запланировано намечено назначено стоит стоят "
    "значится написано будет будут все весь вся всё пожалуйста плиз мавен покажи скажи расскажи посмотри "
    "проверь прочитай прочти зачитай глянь загляни озвучь назови перечисли подскажи "
    "открой дай сколько когда день дня дни дней неделя неделю недели неделе месяц месяца вечер вечера утро "
    "остаток ближайшее ближайшие ближайшую ближайших ближайшее время следующее следующие "
    "запись записи события событий событие дела дел делать можешь план планы планов планах расписание "
    "расписании график сегодняшний завтрашний сегодняшнее завтрашние "
    "вечером утром днем ночью пуст пустой пусто свободен свободно свободного свободное "
    "the a an my our me i we is are was there any anything something on in for at of to do does have got i've "
    "what what's whats show check tell read open list give look "
    "like and or this that please maven next coming up upcoming today's tomorrow's tomorrow today tonight can "
    "you could else see right now later "
    "how many when with events event day week month morning afternoon evening night weekend planned scheduled "
    "schedule agenda plan plans which only все-таки"
)

CALENDAR_KNOWN = (
    _SMALL
    | words_of(
        "календарь календаре календаря календарю календарем календарик календарике ежедневник ежедневнике "
        "ежедневника calendar calender рабочий рабочем рабочего рабочему личный личном личного "
        "семейный семейном семейного общий общем общего google outlook гугл нашем work personal family shared "
        "empty busy full free looking item items entries entry"
    )
    | EVENTS
)

AGENDA_KNOWN = _SMALL | words_of(
    "нет первая первый первое первую последняя последний first last во свободное afternoon "
    "чем я мы занят занята заняты займусь занимаюсь свободны свободна распорядок повестка программа мной нам "
    "предстоит ждет намечается ждет дальше потом далее плану расписанию каков каковы "
    "важные срочные срочное важное рабочие рабочих личные личных встреч дата загружен загружена загруженный "
    "насколько напомни ближайшего времени период "
    "am busy free going supposed doing what're meetings i'm scheduled booked appointments need gotta much "
    "packed happening look rest after before work set lined all"
)
"""Words that may stand in a question about the agenda beside times; whatever else is named keeps its own source."""
