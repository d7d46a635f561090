import datetime
import json
import os
from pathlib import Path

import pytest

from docfetch import VerificationError, verify_push, verify_return_url, verify_webhook

SAMPLES = Path(os.environ["DOCFETCH_SAMPLES"])


def samples(name):
    return [pytest.param(one, id=one["name"]) for one in json.loads((SAMPLES / name).read_text("utf-8"))]


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def outcome(verify):
    try:
        return verify()
    except VerificationError as error:
        return error.reason


MESSAGES = samples("messages.json")
RETURN_URLS = samples("return-urls.json")
FIRST = MESSAGES[0].values[0]


@pytest.mark.parametrize("sample", MESSAGES)
def test_verifies_messages_as_the_service_signs_them(sample):
    expected = sample.get("reason") or json.loads(sample["body"])
    for verify in (verify_push, verify_webhook):
        for body in (sample["body"], sample["body"].encode()):
            found = outcome(lambda: verify(body, sample["headers"], sample["secrets"], now=seconds(sample["now"])))
            assert found == expected


@pytest.mark.parametrize("sample", RETURN_URLS)
def test_verifies_return_urls_as_the_service_signs_them(sample):
    expected = sample.get("reason") or sample["parameters"]
    options = {"now": seconds(sample["now"]), "tolerance": sample.get("tolerance_seconds", 300)}
    assert outcome(lambda: verify_return_url(sample["url"], sample["secrets"], **options)) == expected


def test_uses_the_clock_when_no_time_is_given():
    assert outcome(lambda: verify_push(FIRST["body"], FIRST["headers"], FIRST["secrets"])) == "EXPIRED" or (
        outcome(lambda: verify_push(FIRST["body"], FIRST["headers"], FIRST["secrets"])) == "FROM_THE_FUTURE"
    )


@pytest.mark.parametrize("secrets", [[], "", "whsec_", [FIRST["secrets"][0], ""], "whsec_not base64!", ["whsec_*"]])
def test_refuses_a_secret_that_anybody_has_or_that_is_none(secrets):
    with pytest.raises(ValueError):
        verify_push("{}", {}, secrets)
    with pytest.raises(ValueError):
        verify_return_url(RETURN_URLS[0].values[0]["url"], secrets)
