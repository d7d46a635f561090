"""Retries of requests that were not processed, or that are safe to repeat."""

from __future__ import annotations

import json
import random
import time
from typing import Callable, Mapping, Optional, Protocol, TypeVar

from .errors import DocfetchConnectionError, retry_after_of

_FIRST_BACKOFF = 0.5
_MAX_BACKOFF = 8.0
# Idempotent methods (RFC 9110 9.2.2).
_IDEMPOTENT_METHODS = ("GET", "HEAD", "PUT", "DELETE")
# Status codes of transient errors of the service or of a proxy in front of it.
_TRANSIENT = (500, 502, 503, 504)


class _Response(Protocol):
    @property
    def status(self) -> int: ...

    @property
    def data(self) -> Optional[bytes]: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


Response = TypeVar("Response", bound=_Response)


class Retries:
    """How often and how long requests are repeated."""

    def __init__(self, max_retries: int, max_wait: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._sleep = sleep

    def run(self, method: str, headers: Mapping[str, str], send: Callable[[], Response]) -> Response:
        """Sends a request until its response is one to return. ``send`` raises ``DocfetchConnectionError`` without one."""
        has_key = any(name.lower() == "idempotency-key" for name in headers)
        is_idempotent = method in _IDEMPOTENT_METHODS or has_key
        attempt = 0
        while True:
            wait = random.random() * min(_MAX_BACKOFF, _FIRST_BACKOFF * 2**attempt)
            is_last = attempt >= self._max_retries
            try:
                response = send()
            except DocfetchConnectionError:
                if is_last or not is_idempotent:
                    raise
            else:
                if is_last or not self._is_retryable(response, is_idempotent, has_key):
                    return response
                seconds = retry_after_of(response.headers)
                if seconds is not None:
                    if seconds > self._max_wait:
                        return response
                    wait = seconds
            self._sleep(wait)
            attempt += 1

    @staticmethod
    def _is_retryable(response: _Response, is_idempotent: bool, has_key: bool) -> bool:
        if response.status == 429:
            return True
        if response.status in _TRANSIENT:
            return is_idempotent
        # The first request with this key is still being processed; a retry returns its response.
        return response.status == 409 and has_key and _code_of(response.data) == "IDEMPOTENCY_IN_PROGRESS"


def _code_of(body: Optional[bytes]) -> object:
    try:
        members = json.loads(body or b"")
    except ValueError:
        return None
    return members.get("code") if isinstance(members, dict) else None
