"""The words of the pages, Russian and English, and which of the two a browser wants."""

from __future__ import annotations

from typing import Literal

Language = Literal["ru", "en"]

_WORDS: dict[str, tuple[str, str]] = {
    "traces": ("Решения", "Decisions"),
    "chat": ("Диалог", "Dialogue"),
    "docs": ("API", "API"),
    "skip": ("К содержимому", "Skip to content"),
    "other_language": ("English", "Русский"),
    "try": ("Разобрать реплику", "Route an utterance"),
    "route": ("Разобрать", "Route"),
    "utterance": ("Реплика", "Utterance"),
    "filter": ("Отбор", "Filter"),
    "apply": ("Показать", "Show"),
    "reset": ("Сбросить", "Reset"),
    "any": ("любой", "any"),
    "stage": ("Стадия", "Stage"),
    "intent": ("Намерение", "Intent"),
    "text": ("Текст", "Text"),
    "clarify_only": ("только уточнения", "clarify only"),
    "disagree_only": ("только расхождения с теневой веткой", "only where the shadow arm disagrees"),
    "live": ("Обновлять сразу", "Live"),
    "live_on": ("Подключено: новые решения появятся сами.", "Connected: new decisions appear by themselves."),
    "live_off": ("Обновление остановлено.", "Live updates are off."),
    "live_lost": ("Связь прервалась, пробую снова…", "Disconnected, trying again…"),
    "live_new": ("Новых решений: ", "New decisions: "),
    "none": ("Пока ничего нет. Разберите реплику выше.", "Nothing yet. Route an utterance above."),
    "none_found": ("По этому отбору ничего нет.", "Nothing matches this filter."),
    "no_redis": (
        "Redis не отвечает: решения принимаются, но записей не видно.",
        "Redis does not answer: decisions are made, but their records cannot be read.",
    ),
    "shown": ("Показано решений: {n}", "Decisions shown: {n}"),
    "shares": ("Доли по стадиям", "Share of turns by stage"),
    "latency": ("Время решения, мс", "Time to decide, ms"),
    "when": ("Время", "Time"),
    "decision": ("Решение", "Decision"),
    "by": ("Кто решил", "Decided by"),
    "took": ("мс", "ms"),
    "marks": ("Пометки", "Marks"),
    "disagrees": ("тень: {what}", "shadow: {what}"),
    "corrected": ("исправлено: {what}", "corrected: {what}"),
    "corrected_none": ("помечено неверным", "marked wrong"),
    "more": ("есть ещё просьба", "more was asked"),
    "back": ("Все решения", "All decisions"),
    "summary": ("Итог", "Outcome"),
    "ladder": ("Лестница", "The ladder"),
    "ladder_note": (
        "Сверху вниз: кто слышал реплику и чем это кончилось.",
        "From the top: who heard the utterance, and how it ended.",
    ),
    "claimant": ("Претендент", "Claimant"),
    "outcome": ("Исход", "Outcome"),
    "would_be": ("Что вышло бы", "Would make it"),
    "score": ("Оценка", "Score"),
    "micros": ("мкс", "µs"),
    "reason": ("Причина", "Reason"),
    "won": ("победил", "won"),
    "declined": ("отказался", "declined"),
    "outscored": ("не хватило оценки", "outscored"),
    "gated": ("остановлен проверкой", "gated"),
    "failed": ("сбой", "failed"),
    "not_asked": ("не спрошен", "not asked"),
    "n_declined": ("отказались: {n}", "{n} declined"),
    "n_not_asked": ("не спрошены: {n}", "{n} not asked"),
    "wrong": ("Решение неверно?", "Is this wrong?"),
    "right_intent": ("Верное намерение", "The right intent"),
    "just_wrong": ("не знаю, но это неверно", "I only know that it is wrong"),
    "save": ("Сохранить исправление", "Save the correction"),
    "saved": ("Исправление сохранено: ", "Correction saved: "),
    "failed_save": ("Не получилось: ", "That failed: "),
    "slot": ("Слот {name}", "Slot {name}"),
    "source": ("Источник", "Source"),
    "floor": ("не назван", "none named"),
    "anchored": ("закреплён", "anchored"),
    "confidence": ("Уверенность", "Confidence"),
    "arm": ("Ветка", "Arm"),
    "elapsed": ("Время", "Time"),
    "at": ("Когда", "When"),
    "versions": ("Версии", "Versions"),
    "question": ("Вопрос", "Question"),
    "time": ("Время в реплике", "Time said"),
    "shadow": ("Теневая ветка", "Shadow arm"),
    "agrees": ("согласна", "agrees"),
    "shadow_failed": ("не ответила", "did not answer"),
    "not_found": ("Такой записи нет", "No such record"),
    "not_found_more": (
        "Она старше срока хранения, стёрта, или её ещё не успели записать.",
        "It is older than the retention, was wiped, or is not written yet.",
    ),
    "say": ("Сказать", "Send"),
    "message": ("Ваша реплика", "Your utterance"),
    "session": ("Сессия", "Session"),
    "new_session": ("Начать заново", "Start anew"),
    "stack": ("Отложено", "Parked"),
    "stack_empty": ("Ничего не отложено.", "Nothing is parked."),
    "effects": ("Что сделать", "Effects"),
    "reminders": ("Напоминания этой страницы", "Reminders of this page"),
    "reminders_empty": ("Напоминаний нет.", "No reminders."),
    "not_that": ("Не то", "Wrong"),
    "it_was": ("Это было…", "It was…"),
    "see": ("Разбор", "Trace"),
    "no_dialogue": (
        "Диалог недоступен: реплика разобрана сама по себе.",
        "The dialogue is not available: the utterance was routed by itself.",
    ),
    "you": ("Вы", "You"),
    "maven": ("Мавен", "Maven"),
    "welcome": (
        "Скажите что-нибудь: «напомни вынести мусор», «завтра в девять», «что такое кварк».",
        "Say something: “remind me to take the bins out”, “tomorrow at nine”, “what is a quark”.",
    ),
    "login": ("Вход", "Sign in"),
    "token": ("Токен", "Token"),
    "enter": ("Войти", "Sign in"),
    "bad_token": ("Токен не подошёл.", "That token is not the one."),
}


class Words:
    """`words.name` is the phrase `name` in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._column = 0 if language == "ru" else 1

    def __getattr__(self, name: str) -> str:
        try:
            return _WORDS[name][self._column]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> str:
        return _WORDS[name][self._column]


def language_of(asked: str | None, accepted: str) -> Language:
    """The language that `?lang=` asks for, else the better one of an `Accept-Language` header, else Russian."""
    if asked in ("ru", "en"):
        return "ru" if asked == "ru" else "en"
    best: tuple[float, Language] = (0.0, "ru")
    for part in accepted.split(",")[:20]:
        tag, _, weight = part.strip().partition(";q=")
        language = tag.strip().lower()[:2]
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            continue
        if language in ("ru", "en") and quality > best[0]:
            best = (quality, "ru" if language == "ru" else "en")
    return best[1]
