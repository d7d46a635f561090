# cspell:ignore delenv
import base64
import traceback

import pytest
from scripted_server import PAGE, UUID, ScriptedServer, answer, client_of

from docfetch import UNEXPECTED_ANSWER, Docfetch, DocfetchError

SECRET = "df_live_secret"


@pytest.mark.parametrize(
    "url",
    ["", "docfetch.example.com", "ftp://docfetch.example.com", "https://", SECRET, f"https://u:{SECRET}@docfetch.example.com"]
    + [f"https://docfetch.example.com/{end}" for end in ("?a=b", "#a", f"?{SECRET}")],
)
def test_refuses_an_address_that_is_none_without_showing_it(url):
    with pytest.raises(ValueError) as caught:
        Docfetch(url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("value", [f"{SECRET}\n", f"{SECRET} x", f"{SECRET}\u20ac", f"{SECRET}\x00"])
def test_refuses_credentials_that_are_none_without_showing_them(value):
    with pytest.raises(ValueError) as caught:
        Docfetch("https://docfetch.example.com", api_key=value)
    assert SECRET not in str(caught.value)
    with ScriptedServer() as server:
        client = Docfetch(server.url, token=lambda: value)
        with pytest.raises(ValueError) as caught:
            client.connections.list_connections()
    assert SECRET not in str(caught.value)


def test_does_not_show_the_input_that_does_not_fit():
    body = {"integration_id": 5, "name": [SECRET], "fields": [SECRET]}
    with ScriptedServer() as server:
        with pytest.raises(ValueError) as caught:
            client_of(server).connections.create_connection(body)
    assert SECRET not in str(caught.value)
    with ScriptedServer(answer(201, {"data": {"token": [SECRET], "ui_url": SECRET}})) as server:
        with pytest.raises(DocfetchError) as caught:
            client_of(server).ui_token.create_token({"identity_uuid": UUID, "return_url": "https://app.example.com"})
    shown = "".join(traceback.format_exception(caught.value))
    assert caught.value.code == UNEXPECTED_ANSWER and SECRET not in shown


@pytest.mark.parametrize("is_from_environment", [True, False])
def test_uses_a_proxy_with_its_credentials(monkeypatch, is_from_environment):
    for name in ("HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedServer(answer(200, PAGE)) as server:
        address = server.url.replace("http://", "http://user:p%40ss@")
        if is_from_environment:
            monkeypatch.setenv("http_proxy", address)
        client = Docfetch("http://docfetch.example.com", api_key="x", proxy=None if is_from_environment else address)
        client.identities.list_identities()
    _, path, headers, _ = server.requests[0]
    assert path == "http://docfetch.example.com/v1/identities"
    assert headers["Proxy-Authorization"] == "Basic " + base64.b64encode(b"user:p@ss").decode()
