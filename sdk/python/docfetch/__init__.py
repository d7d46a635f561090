"""Docfetch from Python. ``docfetch.generated.models`` has the types of bodies."""

from .client import Docfetch
from .documents import Download
from .errors import (
    UNEXPECTED_ANSWER,
    ConflictError,
    DocfetchConnectionError,
    DocfetchError,
    FieldError,
    ForbiddenError,
    InternalError,
    NotFoundError,
    RateLimitError,
    UnauthorizedError,
    ValidationError,
)
from .generated.constants import ErrorCode
from .paging import PolledPage, paginate, poll_transactions
from .verify import VerificationError, verify_push, verify_return_url, verify_webhook

__all__ = [
    "UNEXPECTED_ANSWER",
    "ConflictError",
    "Docfetch",
    "DocfetchConnectionError",
    "DocfetchError",
    "Download",
    "ErrorCode",
    "FieldError",
    "ForbiddenError",
    "InternalError",
    "NotFoundError",
    "PolledPage",
    "RateLimitError",
    "UnauthorizedError",
    "ValidationError",
    "VerificationError",
    "paginate",
    "poll_transactions",
    "verify_push",
    "verify_return_url",
    "verify_webhook",
]
