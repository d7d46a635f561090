import os
import time
from typing import Callable

import pytest

from docfetch import Docfetch


@pytest.fixture(scope="session")
def backend() -> Docfetch:
    return Docfetch(os.environ["DOCFETCH_URL"], api_key=os.environ["DOCFETCH_API_KEY"])


@pytest.fixture(scope="session")
def german_backend() -> Docfetch:
    return Docfetch(os.environ["DOCFETCH_URL"], api_key=os.environ["DOCFETCH_API_KEY"], lang="de")


@pytest.fixture(scope="session")
def eventually() -> Callable:
    """Waits until a condition holds, and returns its value."""

    def wait(condition: Callable, what: str, seconds: float = 60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"It did not happen within {seconds} s: {what}")

    return wait
