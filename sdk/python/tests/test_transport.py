import datetime
import email.utils
import pickle
import socket

import pytest
from scripted_server import PAGE, QUEUED, UUID, ScriptedServer, answer, client_of, error, fetch_now

from docfetch import ConflictError, Docfetch, DocfetchConnectionError, DocfetchError, ErrorCode, InternalError, RateLimitError


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


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_repeats_a_request_after_a_transient_error(status):
    with ScriptedServer(error(status, "X", Retry_After="0"), QUEUED) as server:
        assert str(fetch_now(server).uuid) == UUID


@pytest.mark.parametrize("status", [408, 501, 505, 520])
def test_does_not_repeat_a_request_after_another_error(status):
    with ScriptedServer(error(status, "X", Retry_After="0")) as server:
        with pytest.raises(DocfetchError):
            fetch_now(server)


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
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = Docfetch(f"http://127.0.0.1:{silent.getsockname()[1]}", api_key="x", timeout=0.2, max_retries=0)
        with pytest.raises(DocfetchConnectionError):
            client.connections.list_connections()


def test_follows_no_redirect():
    with ScriptedServer((302, {"Location": "http://127.0.0.1:9/"}, b"")) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).connections.list_connections()
    assert (caught.value.status, caught.value.code) == (302, "UNEXPECTED_ANSWER")


def test_errors_survive_a_queue_of_jobs():
    with ScriptedServer(error(409, "SCHEDULED_FETCH_DUE", Retry_After="50")) as server:
        with pytest.raises(ConflictError) as caught:
            fetch_now(server)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copied, ConflictError) and vars(copied) == vars(caught.value) and str(copied) == str(caught.value)
