import os
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_there_are_examples():
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize("example", EXAMPLES[1:])
def test_every_example_of_the_readme_can_be_executed(example, monkeypatch):
    """Those after the first define functions, so that nothing is requested."""
    monkeypatch.setenv("DOCFETCH_SIGNING_SECRET", "whsec_c2VjcmV0")
    exec(compile(example, str(README), "exec"), {"__name__": "example"})


def test_the_quick_start_works(monkeypatch, capsys):
    example = EXAMPLES[0].replace('"https://docfetch.example.com"', repr(os.environ["DOCFETCH_URL"]))
    example = example.replace("customer-1", "customer-of-the-readme")
    exec(compile(example, str(README), "exec"), {"__name__": "example"})
    assert "token=" in capsys.readouterr().out
