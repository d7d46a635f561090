"""Downloads of documents of any size in constant memory."""

from __future__ import annotations

import re
from typing import BinaryIO, Dict, Iterator, Optional
from urllib.parse import unquote

import urllib3

from .errors import DocfetchConnectionError
from .transport import Transport

_CHUNK = 64 * 1024


class Download:
    """The bytes of a document, and what the headers of the response say about them."""

    def __init__(self, response: urllib3.BaseHTTPResponse) -> None:
        self._response = response
        headers = response.headers
        self.status: int = response.status
        """206 if a part was requested."""
        self.filename: Optional[str] = _filename_of(headers.get("Content-Disposition"))
        """The file name at the source. It comes from an e-mail or a portal: never use it as a path."""
        length = None if "Content-Encoding" in headers else headers.get("Content-Length")
        self.size: Optional[int] = None if length is None else int(length)
        """Number of bytes in this response."""
        tag = re.fullmatch(r'"([0-9a-f]{64})"', headers.get("ETag", ""))
        self.sha256: Optional[str] = tag.group(1) if tag else None
        """SHA-256 of the whole document in hexadecimal."""

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._response.stream(_CHUNK)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise DocfetchConnectionError(f"The download ended before the document did: {error}") from error
        finally:
            self.close()

    def save_to(self, file: BinaryIO) -> int:
        """Writes all bytes into a file and returns their number."""
        size = 0
        for chunk in self:
            file.write(chunk)
            size += len(chunk)
        return size

    def close(self) -> None:
        """Ends the download; what was not read is lost."""
        # What was not read cannot be skipped, so the connection is not used again.
        self._response.close()
        self._response.release_conn()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def download(
    transport: Transport, path: str, path_params: Dict[str, str], accept: str, byte_range: Optional[str]
) -> Download:
    headers = {"Accept": accept, **({"Range": byte_range} if byte_range else {})}
    method, url, sent, _, _ = transport.param_serialize(
        "GET", path, path_params=path_params, header_params=headers, auth_settings=["X-TOKEN", "X-API-KEY"]
    )
    return Download(transport.stream(method, url, sent))


def _filename_of(header: Optional[str]) -> Optional[str]:
    """The extended form, which supports all characters, takes precedence (RFC 6266)."""
    extended = re.search(r";\s*filename\*=UTF-8''([^;\s]+)", header or "", re.IGNORECASE)
    if extended:
        try:
            return unquote(extended.group(1), errors="strict")
        except UnicodeDecodeError:
            pass  # falls back to the plain form
    plain = re.search(r';\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', header or "", re.IGNORECASE)
    if plain is None:
        return None
    quoted, token = plain.group(1), plain.group(2)
    return str(token) if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
