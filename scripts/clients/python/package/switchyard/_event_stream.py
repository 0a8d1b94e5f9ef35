"""Reads Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

import httpx

from ._errors import RequestTimeoutError, StreamInterruptedError, error_of

Event = TypeVar("Event")
Parsers = Mapping[str, Callable[[Any], Event]]


class EventReader:
    """Puts the lines of a stream together to events."""

    def __init__(self, parsers: Parsers[Any]) -> None:
        self._parsers = parsers
        self._data: list[str] = []
        self.ended = False

    def take(self, line: str) -> Any | None:
        """The event that ends with this line, if one does and its type is known."""
        if line.startswith("data:"):
            self._data.append(line[6:] if line.startswith("data: ") else line[5:])
        if line or not self._data:
            return None
        value = json.loads("\n".join(self._data))
        self._data = []
        if value["type"] == "error" and "error" in value:
            raise error_of(200, json.dumps(value).encode(), {})
        self.ended = value["type"] == "end" or value.get("final") is True
        parse = self._parsers.get(value["type"])
        return parse(value) if parse else None

    def raise_interrupted(self, failure: httpx.TransportError | None) -> NoReturn:
        """Ends a stream that has broken off, or been silent for too long."""
        if isinstance(failure, httpx.TimeoutException):
            raise RequestTimeoutError("The stream was silent for longer than `timeout` allows.") from failure
        raise StreamInterruptedError() from failure
