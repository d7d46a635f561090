import os
import subprocess
import sys

# In a process of its own, because the peak of this one is that of all tests. The kernel's VmHWM, unlike getrusage, does not
# begin with the peak of the process that started it.
PROGRAM = r"""
import hashlib, os, re
from docfetch import Docfetch

client = Docfetch(os.environ["DOCFETCH_URL"], api_key=os.environ["DOCFETCH_LARGE_API_KEY"])
client.environment.get_environment()
peak = lambda: int(re.search(r"VmHWM:\s+(\d+) kB", open("/proc/self/status").read()).group(1))
before, digest, size = peak(), hashlib.sha256(), 0
with client.download_document(os.environ["DOCFETCH_LARGE_UUID"]) as download:
    for chunk in download:
        digest.update(chunk)
        size += len(chunk)
print(peak() - before, size, digest.hexdigest(), download.sha256)
"""
ALLOWED_KIB = 8 * 1024


def test_downloads_a_document_of_100_mib_in_constant_memory():
    output = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout
    growth, size, digest, announced = output.split()
    assert size == os.environ["DOCFETCH_LARGE_BYTES"]
    assert digest == announced == os.environ["DOCFETCH_LARGE_SHA256"]
    print(f"{growth} KiB more for {size} bytes")
    assert int(growth) < ALLOWED_KIB
