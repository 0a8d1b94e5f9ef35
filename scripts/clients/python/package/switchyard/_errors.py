"""The errors that this library raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .models import ErrorObject


class SwitchyardError(Exception):
    """An error reply, or an answer that broke off."""

    status: int
    """HTTP status of the reply; 200 for a stream that broke off."""
    error: ErrorObject | None
    """The reply's `error` object; None when the reply did not come from Switchyard."""
    headers: Mapping[str, str]

    def __init__(self, status: int, error: ErrorObject | None, headers: Mapping[str, str]) -> None:
        super().__init__(error.message if error else f"The server answered {status} without saying why.")
        self.status = status
        self.error = error
        self.headers = headers

    @property
    def code(self) -> str | None:
        """What went wrong, for programs."""
        return str(self.error.code) if self.error else None

    @property
    def param(self) -> str | None:
        """Path of the first field that was wrong."""
        return self.error.param if self.error else None

    @property
    def request_id(self) -> str | None:
        return self.error.request_id if self.error else self.headers.get("x-request-id")

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.error.retryable if self.error else self.status >= 502

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the same request may succeed, where the server knows."""
        value = self.headers.get("retry-after")
        return float(value) if value is not None else None


class InvalidRequestError(SwitchyardError):
    """400: a field is wrong, or the model is not known."""


class AuthenticationError(SwitchyardError):
    """401: the key is missing or invalid."""


class PermissionDeniedError(SwitchyardError):
    """403: the key lacks the scope that the operation needs."""


class NotFoundError(SwitchyardError):
    """404: there is nothing of this id or at this path."""


class RateLimitError(SwitchyardError):
    """429: a limit is reached; `retry_after` says when to come back."""


class ServerError(SwitchyardError):
    """5xx: the server or the model provider failed."""


class ConnectionFailedError(ConnectionError):
    """The server could not be reached, or the connection broke."""


class RequestTimeoutError(TimeoutError):
    """The time that `timeout` allows is over. The server may have carried out the request all the same."""


class StreamInterruptedError(Exception):
    """A stream that ended without its last event: what was delivered is incomplete."""

    def __init__(self) -> None:
        super().__init__("The stream ended without its last event. What was delivered is incomplete.")


_BY_STATUS: dict[int, type[SwitchyardError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
}


def error_of(status: int, body: bytes, headers: Mapping[str, str]) -> SwitchyardError:
    """The error that a reply stands for."""
    error = _error_object(body)
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else SwitchyardError)
    return kind(status, error, headers)


def _error_object(body: bytes) -> ErrorObject | None:
    try:
        value: Any = json.loads(body)
        return ErrorObject.from_dict(value["error"])
    except (ValueError, KeyError, TypeError):
        return None
