import datetime
import email.utils
import json

import pytest
from scripted_server import ScriptedServer

from docfetch import (
    ConflictError,
    Docfetch,
    DocfetchConnectionError,
    DocfetchError,
    ErrorCode,
    InternalError,
    RateLimitError,
    UnauthorizedError,
)

UUID = "0198f6a0-7d5c-7000-8000-000000000002"
PAGE = {"data": [], "meta": {"next_cursor": None, "has_more": False}}


def answer(status, body, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"Content-Type": "application/json", **named}, json.dumps(body).encode()


def error(status, code, **headers):
    body = {"type": "t", "title": "T", "status": status, "code": code, "detail": "D", "request_id": "req_1"}
    return answer(status, {**body, "errors": []}, **headers)


QUEUED = answer(202, {"uuid": UUID})


def client_of(server, **options):
    return Docfetch(server.url, api_key="df_test_x", **options)


def fetch_now(server, **options):
    return client_of(server, **options).fetches.fetch_now(UUID)


def test_sends_the_credentials_and_the_language():
    with ScriptedServer(answer(200, PAGE), answer(200, PAGE)) as server:
        client = Docfetch(server.url + "/", api_key="key", token=lambda: "token", lang="de")
        client.fetches.list_fetches(UUID)
        client.connections.list_connections()  # with a token only
    seen = [tuple(headers[name] for name in ("X-API-KEY", "X-TOKEN", "Lang")) for _, _, headers, _ in server.requests]
    assert seen == [("key", "token", "de"), (None, "token", "de")]
    assert server.requests[0][1] == f"/v1/connections/{UUID}/fetches"


def test_a_call_can_have_another_language():
    with ScriptedServer(answer(200, PAGE)) as server:
        client_of(server, lang="de").connections.list_connections(lang="en")
    assert server.requests[0][2].get_all("Lang") == ["en"]


def test_repeats_a_post_with_the_same_idempotency_key():
    with ScriptedServer(None, error(503, "X", Retry_After="0"), QUEUED) as server:
        assert str(fetch_now(server).uuid) == UUID
    keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
    assert len(server.requests) == 3 and len(keys) == 1 and None not in keys


def test_keeps_an_idempotency_key_of_the_caller():
    with ScriptedServer(QUEUED) as server:
        client_of(server).fetches.fetch_now(UUID, idempotency_key="mine")
    assert server.requests[0][2].get_all("Idempotency-Key") == ["mine"]


def test_waits_for_a_request_with_the_same_key_that_is_still_running():
    with ScriptedServer(error(409, "IDEMPOTENCY_IN_PROGRESS", Retry_After="0"), QUEUED) as server:
        assert str(fetch_now(server).uuid) == UUID


def test_does_not_repeat_a_conflict():
    with ScriptedServer(error(409, "SCHEDULED_FETCH_DUE", Retry_After="50")) as server:
        with pytest.raises(ConflictError) as caught:
            fetch_now(server)
    assert (caught.value.code, caught.value.retry_after) == ("SCHEDULED_FETCH_DUE", 50)


def test_does_not_repeat_a_post_without_a_key():
    with ScriptedServer(error(500, "INTERNAL_ERROR")) as server:
        with pytest.raises(InternalError):
            client_of(server).transactions.acknowledge_transaction(UUID, {"result": "ACCEPTED"})
    assert "Idempotency-Key" not in server.requests[0][2] and len(server.requests) == 1


def test_returns_the_error_after_the_last_retry():
    with ScriptedServer(*[error(503, "X", Retry_After="0")] * 3) as server:
        with pytest.raises(InternalError):
            client_of(server).connections.list_connections()
    assert len(server.requests) == 3


def test_raises_at_once_when_the_wait_is_too_long():
    for after in ("31", email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1), True)):
        with ScriptedServer(error(429, "FETCH_QUOTA_EXCEEDED", Retry_After=after)) as server:
            with pytest.raises(RateLimitError) as caught:
                fetch_now(server)
        assert caught.value.code == ErrorCode.FETCH_QUOTA_EXCEEDED
        assert caught.value.retry_after > 30 and len(server.requests) == 1


def test_a_lost_connection_is_an_error_of_its_own():
    with ScriptedServer(None) as server:
        with pytest.raises(DocfetchConnectionError):
            client_of(server, max_retries=0).connections.list_connections()


def test_the_time_limit_is_an_error_of_the_connection():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = Docfetch(f"http://127.0.0.1:{silent.getsockname()[1]}", api_key="x", timeout=0.2, max_retries=0)
        with pytest.raises(DocfetchConnectionError):
            client.connections.list_connections()


def test_follows_no_redirect():
    with ScriptedServer((302, {"Location": "http://127.0.0.1:9/"}, b"")) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).connections.list_connections()
    assert (caught.value.status, caught.value.code) == (302, "UNEXPECTED_ANSWER")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"code": 1}', b""])
def test_a_response_of_another_program_is_an_error_too(body):
    with ScriptedServer((401, {"Content-Type": "text/html"}, body)) as server:
        with pytest.raises(UnauthorizedError) as caught:
            client_of(server).connections.list_connections()
    assert (caught.value.code, caught.value.errors, caught.value.request_id) == ("UNEXPECTED_ANSWER", [], None)
    with ScriptedServer((200, {"Content-Type": "text/html"}, b"<html>login</html>")) as server:
        with pytest.raises(DocfetchError):
            client_of(server).connections.list_connections()


def test_accepts_values_and_properties_of_later_versions():
    attempt = {
        "event_uuid": UUID,
        "type": "something.new",
        "created_at": "2026-11-20T08:30:00.000Z",
        "data": {"anything": 1},
        "deliveries": [],
        "added_later": True,
    }
    page = {"data": [attempt], "meta": {"next_cursor": "c", "has_more": False, "poll_cursor": "p"}}
    with ScriptedServer(answer(200, page)) as server:
        event = client_of(server).webhooks.list_events().data[0]
    assert (event.type.value, event.type.name, event.type) == ("something.new", "UNKNOWN", "something.new")
    assert event.to_dict()["added_later"] is True


def test_sends_times_as_the_service_reads_them():
    page = {"data": [], "meta": {"next_cursor": None, "has_more": False, "poll_cursor": "p"}}
    zone = datetime.timezone(datetime.timedelta(hours=2))
    with ScriptedServer(answer(200, page)) as server:
        client_of(server).transactions.list_transactions(created_from=datetime.datetime(2026, 11, 20, 8, tzinfo=zone))
    assert server.requests[0][1].endswith("created_from=2026-11-20T08%3A00%3A00.000000%2B02%3A00")


@pytest.mark.parametrize("url", ["", "docfetch.example.com", "ftp://docfetch.example.com", "https://"])
def test_refuses_an_address_that_is_none(url):
    with pytest.raises(ValueError):
        Docfetch(url)
