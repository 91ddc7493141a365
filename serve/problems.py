"""Errors as RFC 9457 problem documents."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from serve.schemas import Problem

CONTENT_TYPE = "application/problem+json"


class HttpError(Exception):
    """An error with a status; `detail` says what the caller can do about it, `headers` go with the answer."""

    def __init__(self, status: int, detail: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}

    def problem(self) -> Problem:
        """The document."""
        return Problem("about:blank", HTTPStatus(self.status).phrase, self.status, self.detail)

    def body(self) -> bytes:
        """The document as JSON."""
        return msgspec.json.encode(self.problem())
