from __future__ import annotations

import os

import httpx

from ._retries import RetryTransport
from .client import AuthenticatedClient


class Switchyard(AuthenticatedClient):
    """
    The client that every operation takes, for synchronous and for asynchronous calls.

    `api_key`: by default the environment variable `SWITCHYARD_API_KEY`. Not needed for the public operations.
    `base_url`: where the server is reached.
    `max_retries`: how often a request is repeated after an error that is worth it, 0 for never.
    `timeout`: seconds of silence after which a call fails with `httpx.TimeoutException`.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str = "http://127.0.0.1:8080",
        max_retries: int = 2,
        timeout: float = 300.0,
    ) -> None:
        key = os.environ.get("SWITCHYARD_API_KEY", "") if api_key is None else api_key
        super().__init__(
            base_url=base_url,
            token=key,
            prefix="Bearer" if key else "",
            # The factory takes the same key in a header of its own.
            headers={"X-API-Key": key} if key else {},
            timeout=httpx.Timeout(timeout, connect=10.0),
            httpx_args={"transport": RetryTransport(max_retries)},
        )
