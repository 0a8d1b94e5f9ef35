"""Sends requests, raises error replies, and tries again what is worth it."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import httpx

from ._errors import SwitchyardError, error_of

_LONGEST_WAIT_S = 60.0
"""Waits longer than this are the caller's to decide."""


class RetryTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """
    Raises a `SwitchyardError` for every error reply. One that says `"retryable": true` is tried again first, as long as
    the server asks to wait (`Retry-After`) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with
    `x-should-retry: false` is final. A connection that failed is tried again for GET only, since another request may
    have been carried out.
    """

    def __init__(self, max_retries: int, **options: Any) -> None:
        self._max_retries = max_retries
        self._sync = httpx.HTTPTransport(**options)
        self._async = httpx.AsyncHTTPTransport(**options)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _leave_out_no_key(request)
        attempt = 0
        while True:
            try:
                response = self._sync.handle_request(request)
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

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        _leave_out_no_key(request)
        attempt = 0
        while True:
            try:
                response = await self._async.handle_async_request(request)
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

    def close(self) -> None:
        self._sync.close()

    async def aclose(self) -> None:
        await self._async.aclose()

    def _wait(self, attempt: int, error: SwitchyardError) -> float:
        """Seconds to wait before the next attempt; raises the error when there is none."""
        final = error.headers.get("x-should-retry") == "false" or not error.retryable
        wait = _backoff(attempt) if error.retry_after is None else error.retry_after
        if final or attempt >= self._max_retries or wait > _LONGEST_WAIT_S:
            raise error
        return wait

    def _wait_after_failure(self, attempt: int, request: httpx.Request, failure: httpx.TransportError) -> float:
        if attempt >= self._max_retries or request.method != "GET":
            raise failure
        return _backoff(attempt)


def _backoff(attempt: int) -> float:
    return float(0.5 * 2**attempt * random.uniform(0.75, 1.25))


def _leave_out_no_key(request: httpx.Request) -> None:
    if not request.headers.get("authorization"):
        request.headers.pop("authorization", None)
