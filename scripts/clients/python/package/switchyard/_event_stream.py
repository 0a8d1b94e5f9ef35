"""Reads Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, TypeVar

import httpx

from ._errors import StreamInterruptedError, error_of

Event = TypeVar("Event")
Parsers = Mapping[str, Callable[[Any], Event]]


class _Reader:
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


def read_events(client: httpx.Client, request: Mapping[str, Any], parsers: Parsers[Event]) -> Iterator[Event]:
    """The events as they arrive. Raises `SwitchyardError`, or `StreamInterruptedError` for a stream without its end."""
    reader = _Reader(parsers)
    with client.stream(**request) as response:
        for line in response.iter_lines():
            event = reader.take(line)
            if event is not None:
                yield event
            if reader.ended:
                return
    raise StreamInterruptedError()


async def aread_events(
    client: httpx.AsyncClient, request: Mapping[str, Any], parsers: Parsers[Event]
) -> AsyncIterator[Event]:
    """The same for asynchronous programs."""
    reader = _Reader(parsers)
    async with client.stream(**request) as response:
        async for line in response.aiter_lines():
            event = reader.take(line)
            if event is not None:
                yield event
            if reader.ended:
                return
    raise StreamInterruptedError()
