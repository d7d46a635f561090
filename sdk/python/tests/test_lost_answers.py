import io
import threading
import time

import pytest
from scripted_server import PAGE, UUID, ScriptedServer, answer, client_of, error

from docfetch import DocfetchConnectionError


def test_repeats_a_request_whose_answer_broke_off():
    broken = (200, {"Content-Type": "application/json", "Content-Length": "100", "Connection": "close"}, [b'{"data":'])
    with ScriptedServer(broken, answer(200, PAGE)) as server:
        assert client_of(server).connections.list_connections().data == []


def test_the_longest_wait_does_not_limit_pauses_of_its_own():
    with ScriptedServer(error(503, "X"), answer(200, PAGE)) as server:
        assert client_of(server, max_retry_wait=0).connections.list_connections().data == []


def test_a_download_may_take_longer_than_the_time_limit_as_long_as_bytes_arrive():
    def slowly():
        for _ in range(8):
            time.sleep(0.4)
            yield b"x" * 10

    headers = {"Content-Length": "80", "Content-Disposition": "attachment"}
    with ScriptedServer((200, headers, slowly())) as server:
        with client_of(server, timeout=2).download_document(UUID) as download:
            assert download.save_to(io.BytesIO()) == 80


@pytest.mark.parametrize("stalls, message", [(True, "timed out"), (False, "10 bytes read, 70 more expected")])
def test_a_download_that_ends_early_or_stalls_is_an_error_of_the_connection(stalls, message):
    end = threading.Event()

    def body():
        yield b"x" * 10
        if stalls:
            end.wait(10)

    headers = {"Content-Length": "80", "Content-Disposition": "attachment", "Connection": "close"}
    with ScriptedServer((200, headers, body())) as server:
        with client_of(server, timeout=1).download_document(UUID) as download:
            with pytest.raises(DocfetchConnectionError, match=message):
                download.save_to(io.BytesIO())
        end.set()
