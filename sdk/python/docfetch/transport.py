"""Connects the generated code with retries, idempotency keys, credentials and typed errors."""

from __future__ import annotations

import re
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

import urllib3

from .errors import DocfetchConnectionError, DocfetchError, error_of
from .generated.api_client import ApiClient
from .generated.configuration import Configuration
from .generated.constants import REPEATABLE_POSTS
from .generated.exceptions import ApiException
from .generated.rest import RESTResponse
from .retry import Retries

Token = Union[str, Callable[[], str]]
Timeout = Union[float, Tuple[float, float]]

# An error response of a foreign program can have any size.
_MAX_ERROR_BYTES = 1024 * 1024


class Transport(ApiClient):
    """The client of the generated classes."""

    def __init__(
        self,
        configuration: Configuration,
        credentials: Mapping[str, Optional[Token]],
        *,
        lang: Optional[str],
        retries: Retries,
        timeout: float,
    ) -> None:
        super().__init__(configuration)
        for name, value in credentials.items():
            if isinstance(value, str):
                _check_credential(name, value)
        self._credentials = credentials
        self.user_agent = "docfetch-python"
        self._lang = lang
        self._retries = retries
        self._timeout = timeout

    # The generated code passes the rest by name.
    def param_serialize(self, method: str, resource_path: str, **request: Any) -> Any:  # type: ignore[override]
        headers = dict(request.pop("header_params", None) or {})
        if self._lang is not None:
            headers.setdefault("Lang", self._lang)
        if method == "POST" and resource_path in REPEATABLE_POSTS:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        return super().param_serialize(method, resource_path, header_params=headers, **request)

    def update_params_for_auth(
        self,
        headers: Dict[str, str],
        queries: Any,
        auth_settings: Any,
        resource_path: str,
        method: str,
        body: Any,
        request_auth: Any = None,
    ) -> None:
        if request_auth:
            super().update_params_for_auth(
                headers, queries, auth_settings, resource_path, method, body, request_auth
            )
            return
        for name in auth_settings or []:
            credential = self._credentials[name]
            value = credential() if callable(credential) else credential
            if value:
                headers[name] = _check_credential(name, value)

    def call_api(
        self,
        method: str,
        url: str,
        header_params: Optional[Dict[str, str]] = None,
        body: Any = None,
        post_params: Any = None,
        _request_timeout: Optional[Timeout] = None,
    ) -> RESTResponse:
        return self._send(method, url, header_params or {}, body, _request_timeout, is_stream=False)

    def stream(self, method: str, url: str, headers: Dict[str, str]) -> urllib3.BaseHTTPResponse:
        """The response with a file, before its body is read. Raises the error of any other."""
        response = self._send(method, url, headers, None, None, is_stream=True)
        if not _is_success(response):
            raise _failure(response)
        if "Content-Disposition" not in response.headers:  # e.g. a page of a proxy
            response.response.close()
            raise _failure(response)
        raw: urllib3.BaseHTTPResponse = response.response
        return raw

    def response_deserialize(self, response_data: RESTResponse, response_types_map: Any = None) -> Any:
        types = response_types_map or {}
        status = str(response_data.status)
        # A success that the operation does not have may be a page of a proxy, such as a login form.
        if not _is_success(response_data) or (status not in types and not _is_json(response_data)):
            raise _failure(response_data)
        try:
            response = super().response_deserialize(response_data, types)
        except (ApiException, ValueError, TypeError, AttributeError, LookupError) as error:
            raise _failure(response_data) from error
        if response.data is None and types.get(status) is not None:
            raise _failure(response_data)
        return response

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Any,
        timeout: Optional[Timeout],
        is_stream: bool,
    ) -> RESTResponse:
        # The total time of a large download has no limit: each of the two applies to one step.
        limits = timeout or (self._timeout, self._timeout)

        def send() -> RESTResponse:
            try:
                response: RESTResponse = self.rest_client.request(  # type: ignore[no-untyped-call]
                    method, url, headers=dict(headers), body=body, _request_timeout=limits
                )
                if not _is_success(response):
                    response.data = response.response.read(_MAX_ERROR_BYTES, decode_content=True)
                    response.response.close()  # keeps the connection if that was all
                elif not is_stream:
                    response.read()  # type: ignore[no-untyped-call]
                return response
            except (urllib3.exceptions.HTTPError, ApiException, OSError) as error:
                address = url.split("?")[0]
                raise DocfetchConnectionError(f"{method} {address} received no response: {error}") from error

        return self._retries.run(method, headers, send)


def _check_credential(name: str, value: str) -> str:
    """HTTP libraries show the value when they refuse it, e.g. for a line break at the end of a file with a key."""
    if value and not re.fullmatch(r"[\x21-\x7e]+", value):
        raise ValueError(f"The value of {name} has characters that no credential has, such as a space or line break.")
    return value


def _is_json(response: RESTResponse) -> bool:
    return bool(re.match(r"application/json\b", response.headers.get("Content-Type", ""), re.IGNORECASE))


def _is_success(response: RESTResponse) -> bool:
    status: int = response.status
    return 200 <= status <= 299


def _failure(response: RESTResponse) -> DocfetchError:
    return error_of(response.status, response.headers, response.data, response.reason)
