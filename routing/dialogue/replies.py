"""What she says of the dialogue itself: one line a reply, in both languages. Feminine, dry, brief."""

from __future__ import annotations

from routing.questions import Language

Pair = tuple[str, str]

LINES: dict[str, Pair] = {
    "give-up": ("Не разобрала. Оставляю как есть, ничего не сделала.", "I did not get it. I have done nothing."),
    "give-up-depth": (
        "Сначала закончим прежнее. Этого не сделала.",
        "Let us finish the other one first. I have not done this.",
    ),
    "cancelled": ("Хорошо, не буду.", "All right, dropped."),
    "no-memory": (
        "Сейчас не могу переспросить и ничего не сделала. Скажите всё одной фразой.",
        "I cannot ask back right now and have done nothing. Say it all at once.",
    ),
    # actions
    "done-reminder": ("Напомню.", "I will remind you."),
    "done-note": ("Записала.", "Noted."),
    "done-fact": ("Запомнила.", "I will remember."),
    "done-act": ("Делаю.", "On it."),
    "done-system": ("Хорошо.", "All right."),
    "done-query": ("", ""),
    "done-chat": ("", ""),
    # cancelling a reminder
    "cancel-one": ("Отменяю: {text}.", "Cancelling: {text}."),
    "cancel-which": ("Какое отменить? {list}.", "Which one should I cancel? {list}."),
    "cancel-which-more": (
        "Какое отменить? {list}. Есть и другие: {more}.",
        "Which one should I cancel? {list}. There are {more} more.",
    ),
    "cancel-none-pending": ("Отменять нечего: напоминаний нет.", "Nothing to cancel: there are no reminders."),
    "cancel-no-match": (
        "Такого напоминания не нашла, ничего не отменила.",
        "I found no such reminder. Nothing is cancelled.",
    ),
    "cancel-unread-time": (
        "Время не разобрала, ничего не отменила.",
        "I could not read the time. Nothing is cancelled.",
    ),
    "cancel-unknown-delivery": (
        "Не знаю, не сработало ли оно уже. Ничего не отменила.",
        "I cannot tell whether it has gone off already. Nothing is cancelled.",
    ),
    "cancel-no-authority": (
        "Чтобы отменить напоминание, так и скажите: «отмени напоминание» и какое. Ничего не отменила.",
        'To cancel a reminder, say "cancel the reminder" and which. Nothing is cancelled.',
    ),
    "cancel-no-memory": (
        "Подходит несколько, а переспросить сейчас не могу. Ничего не отменила.",
        "Several fit, and I cannot ask back right now. Nothing is cancelled.",
    ),
    "ordinal-out-of-range": (
        "Столько я не называла. Ничего не отменила.",
        "I did not name that many. Nothing is cancelled.",
    ),
    "ordinal-spent": (
        "Из этого списка уже выбрано. Больше ничего не отменила.",
        "That list is already used. Nothing more is cancelled.",
    ),
    "ordinal-expired": (
        "Тот список устарел. Ничего не отменила.",
        "That list is out of date. Nothing is cancelled.",
    ),
    "ordinal-no-memory": ("Списка сейчас нет. Ничего не отменила.", "There is no list now. Nothing is cancelled."),
    # repair
    "repaired": ("Поняла, это {intent}. {ack}", "I see, that was {intent}. {ack}"),
    "repair-gap": ("Поняла, это {intent}.", "I see, that was {intent}."),
    "repair-same": ("Так и поняла: {intent}.", "That is how I took it: {intent}."),
    "repair-stale": (
        "Исправлять уже нечего, ничего не меняла.",
        "There is nothing left to correct. Nothing changed.",
    ),
    "negative": ("Поняла, не то. Что это было?", "Noted, that was wrong. What was it?"),
}

INTENTS: dict[str, Pair] = {
    "query": ("вопрос", "a question"),
    "fact": ("факт", "a fact"),
    "note": ("заметка", "a note"),
    "reminder": ("напоминание", "a reminder"),
    "act": ("команда", "a command"),
    "system": ("команда мне самой", "an order to me"),
    "chat": ("просто разговор", "small talk"),
}

ORDINALS: tuple[Pair, ...] = (
    ("Первое", "First"),
    ("Второе", "Second"),
    ("Третье", "Third"),
    ("Четвёртое", "Fourth"),
    ("Пятое", "Fifth"),
)


def line(name: str, language: Language, **fields: object) -> str:
    """The line `name`, its places filled."""
    return LINES[name][language == "en"].format(**fields).strip()


def intent_name(intent: str, language: Language) -> str:
    """An intent as she calls it."""
    return INTENTS[intent][language == "en"]


def spoken_list(texts: list[str], language: Language) -> str:
    """Up to five texts with their ordinals."""
    english = language == "en"
    return "; ".join(f"{ORDINALS[i][english].lower()}: {text}" for i, text in enumerate(texts))
