"""The errors that calls raise."""

from __future__ import annotations

import datetime
import email.utils
import json
import math
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Tuple

UNEXPECTED_ANSWER = "UNEXPECTED_ANSWER"
"""The code of a response that is not from Docfetch, e.g. from a proxy."""


@dataclass(frozen=True)
class FieldError:
    """An error of one field."""

    field: str
    """The path in the body, or the name of a parameter."""
    code: str
    message: str
    """For end users, in the language of the request."""


class DocfetchError(Exception):
    """An error response of the service. Base decisions on ``code``; ``detail`` may be shown to end users."""

    def __init__(
        self, status: int, headers: Mapping[str, str], body: Optional[bytes], reason: Optional[str] = None
    ) -> None:
        members = _members(body)
        self._arguments = (status, dict(headers), body, reason)
        self.status = status
        """The HTTP status."""
        self.code: str = members.get("code", UNEXPECTED_ANSWER)
        """One of ``ErrorCode``, or ``UNEXPECTED_ANSWER`` if the response is not from Docfetch."""
        self.title: str = members.get("title") or reason or ""
        """The kind of error, in the language of the request."""
        self.detail: str = members.get("detail", f"The response with status {status} is not from Docfetch.")
        """A message for end users, in the language of the request."""
        self.type: Optional[str] = members.get("type")
        """URL of the explanation of ``code``."""
        self.request_id: Optional[str] = members.get("request_id") or headers.get("X-Request-Id")
        """Request ID for the support team."""
        self.errors: List[FieldError] = [
            FieldError(str(error.get("field")), str(error.get("code")), str(error.get("message")))
            for error in members.get("errors") or []
            if isinstance(error, dict)
        ]
        """All errors of fields; empty if there are none."""
        self.retry_after = retry_after_of(headers)
        """Seconds to wait until the request can succeed; ``None`` if unknown."""
        request_id = f" ({self.request_id})" if self.request_id else ""
        super().__init__(f"{status} {self.code}: {self.detail}{request_id}")

    def __reduce__(self) -> Tuple[Any, ...]:
        # For queues of jobs and pools of processes, which pickle errors.
        return type(self), self._arguments


class UnauthorizedError(DocfetchError):
    """401: the credentials are missing or not valid."""


class ForbiddenError(DocfetchError):
    """403: the credentials do not allow this."""


class NotFoundError(DocfetchError):
    """404: there is no such resource."""


class ConflictError(DocfetchError):
    """409: not now; see ``retry_after``."""


class ValidationError(DocfetchError):
    """413, 416 and 422: the request cannot be processed; ``errors`` lists the fields."""


class RateLimitError(DocfetchError):
    """429: too many requests, or fetches; see ``retry_after``."""


class InternalError(DocfetchError):
    """5xx: an error of the service, or of a proxy in front of it."""


class DocfetchConnectionError(Exception):
    """There was no complete response: the service may or may not have processed the request."""


_CLASSES = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: ValidationError,
    416: ValidationError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(
    status: int, headers: Mapping[str, str], body: Optional[bytes], reason: Optional[str] = None
) -> DocfetchError:
    kind = InternalError if status >= 500 else _CLASSES.get(status, DocfetchError)
    return kind(status, headers, body, reason)


def retry_after_of(headers: Mapping[str, str]) -> Optional[int]:
    """The seconds of ``Retry-After`` in either of its forms (RFC 9110 10.2.3)."""
    header = headers.get("Retry-After")
    if header is None:
        return None
    if header.isascii() and header.isdigit() and len(header) < 10:
        return int(header)
    try:
        at = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        return None
    seconds = (at - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
    return max(0, math.ceil(seconds))


def _members(body: Optional[bytes]) -> Mapping[str, Any]:
    try:
        members = json.loads(body or b"")
    except ValueError:
        return {}
    if not isinstance(members, dict):
        return {}
    is_error = isinstance(members.get("code"), str) and isinstance(members.get("detail"), str)
    return members if is_error and isinstance(members.get("errors", []), list) else {}
