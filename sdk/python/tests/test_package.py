import re
from importlib.metadata import distribution


def test_the_package_has_the_code_with_its_types_and_nothing_of_the_tests():
    package = distribution("docfetch-sdk")
    files = {str(path) for path in package.files or []}
    assert {"docfetch/__init__.py", "docfetch/py.typed", "docfetch/generated/constants.py"} <= files
    expected = r"docfetch/(.+/)?(\w+\.py|py\.typed)|docfetch_sdk-[^/]+\.dist-info/.+"
    assert [path for path in files if not re.fullmatch(expected, path)] == []
    assert "# Docfetch from Python" in (package.read_text("METADATA") or "")
