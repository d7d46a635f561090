"""Verifies what Docfetch signs: pushes, webhooks, and the URL with which a user returns. Needs nothing but Python."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Optional, Protocol, Sequence, Tuple, Union
from urllib.parse import parse_qs, urlsplit

Secrets = Union[str, Sequence[str]]
"""The signing secret of the environment (``whsec_…``); several during a rotation, of which one must match."""


class Headers(Protocol):
    """The headers of a request, as web frameworks and ``http.server`` have them, or a dictionary."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


_RETURN_PARAMETERS = (
    "result",
    "action",
    "identity_uuid",
    "connection_uuid",
    "integration_id",
    "status",
    "state",
    "ts",
    "nonce",
)


class VerificationError(Exception):
    """Verification failed: do not use the data. ``reason`` is for your log, not for the sender.

    ``MALFORMED``, ``SIGNATURE_MISSING``, ``SIGNATURE_INVALID``, ``EXPIRED`` or ``FROM_THE_FUTURE``.
    """

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"The {subject} could not be verified: {reason}.")
        self._subject = subject
        self.reason = reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self._subject, self.reason)


def verify_push(
    body: Union[bytes, str],
    headers: Headers,
    secrets: Secrets,
    *,
    now: Optional[float] = None,
    tolerance: float = 300,
) -> Dict[str, Any]:
    """Verifies a pushed document and returns it, as ``pull_document`` does but as a dictionary.

    Store it before you answer 200: Docfetch then considers it delivered. It may arrive twice, with the same
    ``transaction_uuid``.

    :param body: the raw body, before any parsing
    :param headers: those of the request; the case of names does not matter
    :param now: seconds since 1970; the clock by default
    :param tolerance: maximum difference in seconds between the signed time and ``now``
    :raises VerificationError: it is not from Docfetch, was changed, or is too old: answer 401
    :raises ValueError: no secret is given, or one is invalid
    """
    keys = _keys_of(secrets)
    message_id, timestamp, signatures = (_header_of(headers, name) for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signatures:
        raise VerificationError("message", "SIGNATURE_MISSING")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise VerificationError("message", "MALFORMED")
    macs = [_base64(one[3:]) for one in signatures.split(" ") if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", one)]
    raw = body.encode() if isinstance(body, str) else bytes(body)
    if not _matches_one(keys, macs, f"{message_id}.{timestamp}.".encode() + raw):
        raise VerificationError("message", "SIGNATURE_INVALID")
    _check_time("message", int(timestamp), now, tolerance)
    try:
        message = json.loads(raw.decode("utf-8"))
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise VerificationError("message", "MALFORMED")
    return message


def verify_webhook(
    body: Union[bytes, str],
    headers: Headers,
    secrets: Secrets,
    *,
    now: Optional[float] = None,
    tolerance: float = 300,
) -> Dict[str, Any]:
    """Like :func:`verify_push`, for a webhook: ``type``, ``timestamp`` and ``data``, which depends on ``type``.

    Its secret was returned when the webhook was registered. Answer 200 to unknown types and ignore them.
    """
    return verify_push(body, headers, secrets, now=now, tolerance=tolerance)


def verify_return_url(
    url: str, secrets: Secrets, *, now: Optional[float] = None, tolerance: float = 300
) -> Dict[str, str]:
    """Verifies the URL with which a user returned from the hosted UI, and returns its parameters.

    It is valid for ``tolerance`` seconds; store ``nonce`` for that time to accept it only once.

    :param url: the full URL as requested by the browser, including scheme and host
    :raises VerificationError: the URL was changed, is not signed, or is too old
    :raises ValueError: no secret is given, or one is invalid
    """
    keys = _keys_of(secrets)
    address = url.split("#")[0]  # A browser may add a fragment; a server never receives it.
    query = _query_of(address)
    if "sig" not in query:
        raise VerificationError("return URL", "SIGNATURE_MISSING")
    signed, _, signature = address.partition("&sig=")
    if len(query["sig"]) > 1 or not re.fullmatch(r"[A-Za-z0-9_-]{43}", signature):
        raise VerificationError("return URL", "SIGNATURE_INVALID")
    mac = _base64(signature.replace("-", "+").replace("_", "/") + "=")
    if not _matches_one(keys, [mac], f"v1.{signed}".encode()):
        raise VerificationError("return URL", "SIGNATURE_INVALID")
    timestamp = query.get("ts", [""])[0]
    has_duplicates = any(len(query.get(name, [])) > 1 for name in _RETURN_PARAMETERS)
    if has_duplicates or not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise VerificationError("return URL", "MALFORMED")
    _check_time("return URL", int(timestamp), now, tolerance)
    return {name: query[name][0] for name in _RETURN_PARAMETERS if name in query}


def _query_of(address: str) -> Dict[str, List[str]]:
    try:
        parts = urlsplit(address)
        if parts.scheme and parts.hostname:
            return parse_qs(parts.query, keep_blank_values=True)
    except ValueError:
        pass
    raise VerificationError("return URL", "MALFORMED")


def _check_time(subject: str, seconds: int, now: Optional[float], tolerance: float) -> None:
    age = (time.time() if now is None else now) - seconds
    if age > tolerance:
        raise VerificationError(subject, "EXPIRED")
    if age < -tolerance:
        raise VerificationError(subject, "FROM_THE_FUTURE")


def _keys_of(secrets: Secrets) -> List[bytes]:
    """The keys: the base64-decoded parts after ``whsec_`` (Standard Webhooks)."""
    texts = [secrets] if isinstance(secrets, str) else list(secrets)
    keys = [_base64(text[len("whsec_") :] if text.startswith("whsec_") else text) for text in texts]
    # Anyone can sign with an empty key.
    if not keys or not all(keys):
        raise ValueError("A signing secret is missing, empty or not base64.")
    return [key for key in keys if key]


def _matches_one(keys: List[bytes], macs: Sequence[Optional[bytes]], text: bytes) -> bool:
    """Verifies all pairs, each in constant time, so that the duration does not reveal which one matches."""
    expected = [hmac.new(key, text, hashlib.sha256).digest() for key in keys]
    return any([hmac.compare_digest(one, mac) for one in expected for mac in macs if mac])


def _header_of(headers: Headers, suffix: str) -> Optional[str]:
    found = [value for name, value in headers.items() if name.lower() == f"webhook-{suffix}"]
    return found[0] if len(found) == 1 and isinstance(found[0], str) else None


def _base64(text: str) -> Optional[bytes]:
    """Decodes base64; ``None`` for invalid input, including non-canonical base64."""
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None
