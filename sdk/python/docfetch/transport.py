"""Connects the generated code with retries, idempotency keys, credentials and typed errors."""

from __future__ import annotations

import re
import uuid
from typing import Any, Callable, Mapping, Optional, Union

import urllib3

from .errors import DocfetchConnectionError, DocfetchError, error_of
from .generated.api_client import ApiClient
from .generated.configuration import Configuration
from .generated.constants import REPEATABLE_POSTS
from .generated.exceptions import ApiException
from .retry import Retries

Token = Union[str, Callable[[], str]]

# The generated code writes the offset of a time without the colon that RFC 3339 requires.
_OFFSET = re.compile(r"^(\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d)(\d\d)$")


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
        self._credentials = credentials
        self.user_agent = "docfetch-python"
        self._lang = lang
        self._retries = retries
        self._timeout = timeout

    def param_serialize(self, method: str, resource_path: str, **request: Any) -> Any:
        headers = dict(request.pop("header_params", None) or {})
        if self._lang is not None:
            headers.setdefault("Lang", self._lang)
        if method == "POST" and resource_path in REPEATABLE_POSTS:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        query = [
            (name, _OFFSET.sub(r"\1:\2", value) if isinstance(value, str) else value)
            for name, value in request.pop("query_params", None) or []
        ]
        return super().param_serialize(method, resource_path, header_params=headers, query_params=query, **request)

    def update_params_for_auth(self, headers, queries, auth_settings, *request, request_auth=None):
        if request_auth:
            return super().update_params_for_auth(headers, queries, auth_settings, *request, request_auth=request_auth)
        for name in auth_settings or []:
            value = self._credentials[name]
            if value is not None:
                headers[name] = value() if callable(value) else value

    def call_api(self, method, url, header_params=None, body=None, post_params=None, _request_timeout=None):
        return self._send(method, url, header_params or {}, body, _request_timeout, is_stream=False)

    def stream(self, method: str, url: str, headers: dict) -> Any:
        """The response before its body is read. Raises the error of any other than a success."""
        response = self._send(method, url, headers, None, None, is_stream=True)
        if not 200 <= response.status <= 299:
            raise _failure(response)
        return response

    def response_deserialize(self, response_data, response_types_map=None):
        response = response_data
        if not 200 <= response.status <= 299:
            raise _failure(response)
        try:
            return super().response_deserialize(response, response_types_map)
        except (ApiException, ValueError) as error:
            raise _failure(response) from error

    def _send(self, method, url, headers, body, timeout, is_stream):
        # The total time of a large download has no limit: each of the two applies to one step.
        limits = timeout or (self._timeout, self._timeout)

        def send():
            try:
                response = self.rest_client.request(method, url, headers=dict(headers), body=body, _request_timeout=limits)
                if not is_stream or not 200 <= response.status <= 299:
                    response.read()
                return response
            except (urllib3.exceptions.HTTPError, ApiException, OSError) as error:
                address = url.split("?")[0]
                raise DocfetchConnectionError(f"{method} {address} received no response: {error}") from error

        return self._retries.run(method, headers, send)


def _failure(response: Any) -> DocfetchError:
    return error_of(response.status, response.headers, response.data, response.reason)
