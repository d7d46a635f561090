"""Lists and the feed of documents as iterators."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Optional, Protocol, Sequence, TypeVar

from .client import Docfetch
from .generated.models.transaction import Transaction

Item = TypeVar("Item", covariant=True)


class _Meta(Protocol):
    @property
    def has_more(self) -> bool: ...

    @property
    def next_cursor(self) -> Optional[str]: ...


class Page(Protocol[Item]):
    """A page of a list, such as ``IdentityPage``."""

    @property
    def data(self) -> Sequence[Item]: ...

    @property
    def meta(self) -> _Meta: ...


def paginate(
    list_page: Callable[..., Page[Item]], *args: Any, cursor: Optional[str] = None, **query: Any
) -> Iterator[Item]:
    """Iterates over the items of all pages: ``for identity in paginate(client.identities.list_identities, limit=500)``.

    :param list_page: a method that returns a page, which is called with the other arguments; ``limit`` is the page size
    """
    while True:
        page = list_page(*args, cursor=cursor, **query)
        yield from page.data
        cursor = page.meta.next_cursor
        if not page.meta.has_more or cursor is None:
            return


@dataclass(frozen=True)
class PolledPage:
    """A page of the feed. It is empty if only the cursor has moved, for example at the start with ``now``."""

    transactions: List[Transaction]
    cursor: str
    """Save it after you have stored the transactions, and continue from it: you then miss none. After a crash in between,
    the last page comes again, with the same ``transaction_uuid``."""


def poll_transactions(
    client: Docfetch,
    *,
    cursor: Optional[str] = None,
    interval: float = 30,
    until_caught_up: bool = False,
    stop: Optional[threading.Event] = None,
    **query: Any,
) -> Iterator[PolledPage]:
    """Polls the feed of documents, oldest first (provisioning strategy ``POLLING``).

    :param cursor: the last saved cursor. Absent: from the first document; ``now``: only new documents
    :param interval: seconds between two requests at the end of the feed
    :param until_caught_up: stops at the end of the feed instead of waiting for new documents
    :param stop: stops polling when it is set
    :param query: the parameters of ``list_transactions``
    :raises DocfetchError, DocfetchConnectionError: all retries failed; continue from the last cursor that you saved
    """
    stop = stop or threading.Event()
    while not stop.is_set():
        page = client.transactions.list_transactions(cursor=cursor, **query)
        if page.meta.poll_cursor != cursor:
            cursor = page.meta.poll_cursor
            yield PolledPage(page.data, cursor)
        if page.meta.has_more:
            continue
        if until_caught_up:
            return
        stop.wait(interval)
