"""The token of the pages: a browser cannot put a bearer token on a link, so a cookie stands for it."""

from __future__ import annotations

import hmac
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie

COOKIE = "maven"
PAGES = ("/trace", "/chat", "/docs")
OPEN_PAGES = ("/static/", "/login")
"""Without the token: what the form that asks for it needs."""


def value(token: str) -> str:
    """What the cookie holds: derived from the token, which itself stays out of the browser's store."""
    return hmac.new(token.encode(), b"maven-serve pages 1", sha256).hexdigest()


def admits(token: str, cookie: bytes) -> bool:
    """Whether a `Cookie` header holds the token's cookie."""
    try:
        held = SimpleCookie(cookie.decode("latin-1")).get(COOKIE)
    except CookieError:
        return False
    return held is not None and hmac.compare_digest(held.value.encode(), value(token).encode())


def is_page(path: str) -> bool:
    """Whether `path` is a page that a person opens."""
    return path in PAGES or path.startswith("/trace/")
