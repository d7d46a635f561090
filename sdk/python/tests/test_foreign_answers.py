import pytest
from scripted_server import PAGE, UUID, ScriptedServer, answer, client_of

from docfetch import UNEXPECTED_ANSWER, DocfetchError, UnauthorizedError


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"code": 1}', b""])
def test_a_response_of_another_program_is_an_error_too(body):
    with ScriptedServer((401, {"Content-Type": "text/html"}, body)) as server:
        with pytest.raises(UnauthorizedError) as caught:
            client_of(server).connections.list_connections()
    assert (caught.value.code, caught.value.errors, caught.value.request_id) == ("UNEXPECTED_ANSWER", [], None)


@pytest.mark.parametrize(
    "response",
    [
        (200, {"Content-Type": "text/html"}, b"<html>login</html>"),
        (200, {}, b"<html>login</html>"),
        answer(200, None),
        answer(200, []),
        answer(200, {"data": 5, "meta": PAGE["meta"]}),
        answer(200, {"data": [1], "meta": PAGE["meta"]}),
        answer(200, {"other": True}),
        (200, {"Content-Type": "application/json"}, b""),
        (200, {"Content-Type": "application/json"}, b'{"data": ['),
        (204, {}, b""),
    ],
)
def test_a_success_of_another_program_is_an_error(response):
    with ScriptedServer(response) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).connections.list_connections()
    assert caught.value.code == UNEXPECTED_ANSWER


def test_a_page_instead_of_an_answer_without_content_is_an_error():
    with ScriptedServer((200, {"Content-Type": "text/html"}, b"<html>login</html>")) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).connections.delete_connection(UUID)
    assert caught.value.code == UNEXPECTED_ANSWER


def test_a_page_instead_of_a_document_is_an_error():
    with ScriptedServer((200, {"Content-Type": "text/html"}, b"<html>login</html>")) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).download_document(UUID)
    assert caught.value.code == UNEXPECTED_ANSWER


def test_reads_no_more_than_the_beginning_of_an_endless_error():
    endless = (b"x" * 65536 for _ in iter(int, 1))
    with ScriptedServer((400, {"Connection": "close"}, endless)) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).connections.list_connections()
    assert caught.value.code == UNEXPECTED_ANSWER
