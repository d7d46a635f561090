import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(sys.prefix) / "mypy-cache"
SETTINGS = HERE.parent / "pyproject.toml"
README = (HERE.parent / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
# The types arrive at the user: a misspelled name is found.
MISSPELLED = """
from docfetch import Docfetch, paginate

client = Docfetch("https://docfetch.example.com")
for identity in paginate(client.identities.list_identities):
    print(identity.client_identification)
client.transactions.pull_document("x").data.document.base65_
client.download_document("x").sha265
"""


def check(*arguments):
    command = [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS), "--cache-dir", str(CACHE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=HERE).stdout


def test_the_handwritten_code_has_complete_types():
    found = check("-p", "docfetch")
    assert re.match(r"Success: no issues found in \d{3} source files", found), found


def test_the_examples_of_the_readme_have_the_right_types(tmp_path):
    paths = [tmp_path / f"example_{number}.py" for number in range(len(EXAMPLES))]
    for path, example in zip(paths, EXAMPLES):
        path.write_text(example, "utf-8")
    found = check(*map(str, paths))
    assert f"Success: no issues found in {len(EXAMPLES)} source files" in found, found


def test_misspelled_names_are_found(tmp_path):
    path = tmp_path / "misspelled.py"
    path.write_text(MISSPELLED, "utf-8")
    lines = re.findall(r"misspelled.py:(\d+): error: .*has no attribute", check(str(path)))
    assert lines == ["6", "7", "8"]
