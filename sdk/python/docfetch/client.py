"""The client of a Docfetch service."""

from __future__ import annotations

from typing import Any, Mapping, Optional
from urllib.parse import unquote, urlsplit

import urllib3

from .documents import Download, download
from .generated.api.connections_api import ConnectionsApi
from .generated.api.environment_api import EnvironmentApi
from .generated.api.fetches_api import FetchesApi
from .generated.api.health_api import HealthApi
from .generated.api.identities_api import IdentitiesApi
from .generated.api.integrations_api import IntegrationsApi
from .generated.api.sandbox_api import SandboxApi
from .generated.api.transactions_api import TransactionsApi
from .generated.api.ui_token_api import UITokenApi
from .generated.api.webhooks_api import WebhooksApi
from .generated.configuration import Configuration
from .retry import Retries
from .transport import Token, Transport


class Docfetch:
    """A client that can be kept and shared by threads. Each call sends those credentials that its endpoint accepts.

    :param base_url: the base URL of the service, e.g. ``https://docfetch.example.com``
    :param api_key: the API key of your environment
    :param token: a UI token, or a function that returns one; it is called before each request
    :param lang: the language of messages and labels, ``en`` or ``de``
    :param max_retries: maximum number of retries of a request; 0 disables retries
    :param max_retry_wait: if ``Retry-After`` is longer than these seconds, the error is raised immediately
    :param timeout: maximum seconds for connecting, and for each wait for data
    :param proxy: the URL of an HTTP proxy, instead of that in ``HTTPS_PROXY`` or ``HTTP_PROXY``; hosts in ``NO_PROXY``
        are requested directly
    :param ca_file: a file with the certificates of trusted authorities, instead of those of the system
    :raises ValueError: ``base_url`` is not an absolute http(s) URL, or has credentials, a query or a fragment; or a
        credential has characters that no credential has
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[str] = None,
        token: Optional[Token] = None,
        lang: Optional[str] = None,
        max_retries: int = 2,
        max_retry_wait: float = 30,
        timeout: float = 60,
        proxy: Optional[str] = None,
        ca_file: Optional[str] = None,
    ) -> None:
        if not _is_base_url(base_url):
            # Without its value, which may be a key in the wrong place.
            raise ValueError("base_url is not an http(s) URL without credentials, query and fragment.")
        # Retries are ours, and the service never redirects: the key must not be sent to another server.
        configuration = Configuration(host=base_url.rstrip("/"), ssl_ca_cert=ca_file, retries=False, proxy=proxy)
        configuration.proxy_headers = _proxy_headers(configuration.proxy)
        retries = Retries(max_retries, max_retry_wait)
        credentials: Mapping[str, Optional[Token]] = {"X-API-KEY": api_key, "X-TOKEN": token}
        self._transport = Transport(configuration, credentials, lang=lang, retries=retries, timeout=timeout)
        self.connections = ConnectionsApi(self._transport)
        self.environment = EnvironmentApi(self._transport)
        self.fetches = FetchesApi(self._transport)
        self.health = HealthApi(self._transport)
        self.identities = IdentitiesApi(self._transport)
        self.integrations = IntegrationsApi(self._transport)
        self.sandbox = SandboxApi(self._transport)
        self.transactions = TransactionsApi(self._transport)
        self.ui_token = UITokenApi(self._transport)
        self.webhooks = WebhooksApi(self._transport)

    def download_document(self, transaction_uuid: object, *, byte_range: Optional[str] = None) -> Download:
        """Downloads the bytes of a document as they arrive; ``byte_range="bytes=100-"`` requests a part.

        Close the result, for example with ``with``, if you do not read it to the end.
        """
        return download(
            self._transport,
            "/v1/transactions/{transaction_uuid}/document",
            {"transaction_uuid": str(transaction_uuid)},
            "application/octet-stream",
            byte_range,
        )

    def download_rendition(
        self, transaction_uuid: object, rendition_id: str, *, byte_range: Optional[str] = None
    ) -> Download:
        """Like :meth:`download_document`, for a rendition of the document."""
        return download(
            self._transport,
            "/v1/transactions/{transaction_uuid}/renditions/{rendition_id}",
            {"transaction_uuid": str(transaction_uuid), "rendition_id": rendition_id},
            "*/*",
            byte_range,
        )


def _is_base_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        has_more = parts.username is not None or "?" in text or "#" in text
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not has_more
    except ValueError:
        return False


def _proxy_headers(proxy: Optional[str]) -> Any:
    """Those with the user name and password of a proxy's URL, which urllib3 does not read."""
    parts = urlsplit(proxy or "")
    if parts.username is None:
        return None
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return urllib3.make_headers(proxy_basic_auth=credentials)
