from __future__ import annotations

import os
from types import TracebackType

import httpx

from ._api import Api, AsyncApi
from .resources import AsyncResources, Resources

_DEFAULT_URL = "http://127.0.0.1:8080"


class Switchyard(Resources):
    """
    The client. Its operations are in groups: `client.chat.create(message="Hello")`.

    `api_key`: by default the environment variable `SWITCHYARD_API_KEY`. Not needed for the public operations.
    `base_url`: where the server is reached; by default `SWITCHYARD_BASE_URL` or else `http://127.0.0.1:8080`.
    `timeout`: seconds of silence after which a call raises `RequestTimeoutError`, 0 for never. Every call takes one too.
    `max_retries`: how often a request is sent again after an error that is worth it, 0 for never.
    `proxy`: the URL of a proxy, or an `httpx.Proxy`; by default as the environment says (`HTTPS_PROXY`, `NO_PROXY`, …).
    `transport`: an `httpx.BaseTransport` of your own.
    `http_client`: an `httpx.Client` of your own, in place of `proxy` and `transport`. It is yours to close.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 300.0,
        max_retries: int = 2,
        proxy: str | httpx.Proxy | None = None,
        transport: httpx.BaseTransport | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._owned = None
        if http_client is None:
            http_client = self._owned = httpx.Client(proxy=proxy, transport=transport, follow_redirects=True)
        super().__init__(Api(http_client, _url(base_url), _key(api_key), max_retries, timeout))

    def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> Switchyard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncSwitchyard(AsyncResources):
    """
    The client for asynchronous programs: `await client.chat.create(message="Hello")`.

    It takes what `Switchyard` does, with the asynchronous classes of httpx as `transport` and `http_client`.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 300.0,
        max_retries: int = 2,
        proxy: str | httpx.Proxy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._owned = None
        if http_client is None:
            http_client = self._owned = httpx.AsyncClient(
                proxy=proxy, transport=transport, follow_redirects=True
            )
        super().__init__(AsyncApi(http_client, _url(base_url), _key(api_key), max_retries, timeout))

    async def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            await self._owned.aclose()

    async def __aenter__(self) -> AsyncSwitchyard:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _url(base_url: str | None) -> str:
    return base_url or os.environ.get("SWITCHYARD_BASE_URL") or _DEFAULT_URL


def _key(api_key: str | None) -> str:
    return os.environ.get("SWITCHYARD_API_KEY", "") if api_key is None else api_key
