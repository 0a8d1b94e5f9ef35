"""Sends requests, raises error replies, and tries again what is worth it."""

from __future__ import annotations

import asyncio
import io
import random
import time
import zipfile
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, NoReturn, TypeVar

import httpx

from ._errors import ConnectionFailedError, RequestTimeoutError, SwitchyardError, error_of
from ._event_stream import EventReader, Parsers

_LONGEST_WAIT_S = 60.0
"""Waits longer than this are the caller's to decide."""

Event = TypeVar("Event")
Values = Mapping[str, Any]


class _Requests:
    """Builds requests, and decides which of them are sent again."""

    def __init__(self, base_url: str, api_key: str, max_retries: int, timeout: float) -> None:
        self._base_url = base_url.rstrip("/")
        # The factory takes the same key in a header of its own.
        self._headers = {"Authorization": f"Bearer {api_key}", "X-API-Key": api_key} if api_key else {}
        self._max_retries = max_retries
        self._timeout = timeout

    def _build(
        self,
        client: httpx.Client | httpx.AsyncClient,
        method: str,
        path: str,
        *,
        params: Values | None,
        headers: Values | None,
        body: Values | None,
        timeout: float | None,
        accept: str = "*/*",
    ) -> httpx.Request:
        seconds = self._timeout if timeout is None else timeout
        return client.build_request(
            method,
            self._base_url + path,
            params={name: str(value) for name, value in (params or {}).items() if value is not None},
            headers={**self._headers, "Accept": accept, **_texts(headers)},
            json=body,
            timeout=httpx.Timeout(seconds, connect=min(seconds, 10.0)) if seconds > 0 else httpx.Timeout(None),
        )

    def _wait(self, attempt: int, error: SwitchyardError) -> float:
        """Seconds to wait before the next attempt; raises the error when there is none."""
        final = error.headers.get("x-should-retry") == "false" or not error.retryable
        wait = _backoff(attempt) if error.retry_after is None else error.retry_after
        if final or attempt >= self._max_retries or wait > _LONGEST_WAIT_S:
            raise error
        return wait

    def _wait_after_failure(self, attempt: int, request: httpx.Request, failure: httpx.TransportError) -> float:
        if attempt >= self._max_retries or request.method != "GET":
            _raise_failure(failure)
        return _backoff(attempt)


class Api(_Requests):
    """For synchronous programs."""

    def __init__(self, client: httpx.Client, base_url: str, api_key: str, max_retries: int, timeout: float) -> None:
        super().__init__(base_url, api_key, max_retries, timeout)
        self.client = client

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Values | None = None,
        headers: Values | None = None,
        body: Values | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        request = self._build(
            self.client, method, path, params=params, headers=headers, body=body, timeout=timeout
        )
        return self._send(request, stream=False)

    def events(
        self,
        method: str,
        path: str,
        *,
        parsers: Parsers[Event],
        params: Values | None = None,
        headers: Values | None = None,
        body: Values | None = None,
        timeout: float | None = None,
    ) -> Generator[Event, None, None]:
        request = self._build(
            self.client,
            method,
            path,
            params=params,
            headers=headers,
            body=body,
            timeout=timeout,
            accept="text/event-stream",
        )
        response = self._send(request, stream=True)
        reader = EventReader(parsers)
        try:
            for line in response.iter_lines():
                event = reader.take(line)
                if event is not None:
                    yield event
                if reader.ended:
                    return
        except httpx.TransportError as failure:
            reader.raise_interrupted(failure)
        finally:
            response.close()
        reader.raise_interrupted(None)

    def _send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        attempt = 0
        while True:
            try:
                response = self.client.send(request, stream=stream)
                if response.status_code < 400:
                    return response
                try:
                    body = response.read()
                finally:
                    response.close()
                wait = self._wait(attempt, error_of(response.status_code, body, response.headers))
            except httpx.TransportError as failure:
                wait = self._wait_after_failure(attempt, request, failure)
            time.sleep(wait)
            attempt += 1


class AsyncApi(_Requests):
    """For asynchronous programs."""

    def __init__(
        self, client: httpx.AsyncClient, base_url: str, api_key: str, max_retries: int, timeout: float
    ) -> None:
        super().__init__(base_url, api_key, max_retries, timeout)
        self.client = client

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Values | None = None,
        headers: Values | None = None,
        body: Values | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        request = self._build(
            self.client, method, path, params=params, headers=headers, body=body, timeout=timeout
        )
        return await self._send(request, stream=False)

    async def events(
        self,
        method: str,
        path: str,
        *,
        parsers: Parsers[Event],
        params: Values | None = None,
        headers: Values | None = None,
        body: Values | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Event, None]:
        request = self._build(
            self.client,
            method,
            path,
            params=params,
            headers=headers,
            body=body,
            timeout=timeout,
            accept="text/event-stream",
        )
        response = await self._send(request, stream=True)
        reader = EventReader(parsers)
        try:
            async for line in response.aiter_lines():
                event = reader.take(line)
                if event is not None:
                    yield event
                if reader.ended:
                    return
        except httpx.TransportError as failure:
            reader.raise_interrupted(failure)
        finally:
            await response.aclose()
        reader.raise_interrupted(None)

    async def _send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        attempt = 0
        while True:
            try:
                response = await self.client.send(request, stream=stream)
                if response.status_code < 400:
                    return response
                try:
                    body = await response.aread()
                finally:
                    await response.aclose()
                wait = self._wait(attempt, error_of(response.status_code, body, response.headers))
            except httpx.TransportError as failure:
                wait = self._wait_after_failure(attempt, request, failure)
            await asyncio.sleep(wait)
            attempt += 1


def files_of(archive: bytes) -> dict[str, bytes]:
    """The files in a zip, by their paths."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def _texts(headers: Values | None) -> dict[str, str]:
    return {name: str(value) for name, value in (headers or {}).items() if value is not None}


def _backoff(attempt: int) -> float:
    return float(0.5 * 2**attempt * random.uniform(0.75, 1.25))


def _raise_failure(failure: httpx.TransportError) -> NoReturn:
    if isinstance(failure, httpx.TimeoutException):
        raise RequestTimeoutError("There was no answer within the time that `timeout` allows.") from failure
    raise ConnectionFailedError("The server could not be reached, or the connection broke.") from failure
