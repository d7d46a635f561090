import http.server
import os
import threading

import pytest

from docfetch import Docfetch, ErrorCode, UnauthorizedError, ValidationError, paginate, verify_webhook

URL = os.environ["DOCFETCH_URL"]


@pytest.mark.parametrize(
    "lang, detail, message",
    [("en", "required", "is required"), ("de", "fehlen", "ist erforderlich")],
)
def test_errors_have_codes_and_messages_in_both_languages(backend, lang, detail, message):
    identity = backend.identities.create_identity({"client_identifier": "errors"}).data
    client = Docfetch(URL, api_key=os.environ["DOCFETCH_API_KEY"], lang=lang)
    body = {"integration_id": "sandbox", "name": "x", "identity_uuid": str(identity.identity_uuid), "fields": {}}
    with pytest.raises(ValidationError) as caught:
        client.connections.create_connection(body)
    backend.identities.delete_identity(identity.identity_uuid)
    error = caught.value
    assert (error.status, error.code) == (422, ErrorCode.MISSING_REQUIRED_FIELDS)
    assert {one.field: one.code for one in error.errors} == {"fields.user": "REQUIRED", "fields.password": "REQUIRED"}
    assert error.request_id.startswith("req_") and error.type.endswith("#MISSING_REQUIRED_FIELDS")
    assert detail in error.detail and message in error.errors[0].message


def test_credentials_that_are_not_valid_are_an_error():
    with pytest.raises(UnauthorizedError) as caught:
        Docfetch(URL, api_key="df_test_wrong", lang="de").identities.list_identities()
    assert caught.value.code == "INVALID_API_KEY" and "API-Schlüssel" in caught.value.detail
    with pytest.raises(UnauthorizedError) as caught:
        Docfetch(URL).connections.list_connections()
    assert caught.value.code == "MISSING_CREDENTIALS"


def test_receives_and_verifies_a_webhook(backend):
    received = []

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/events"
        webhook = backend.webhooks.create_webhook({"url": url, "events": ["document.available"]}).data
        assert backend.webhooks.test_webhook(webhook.uuid).data.error is None
        server.shutdown()
    body, headers = received[0]
    assert verify_webhook(body, headers, webhook.secret)["type"] == "webhook.test"
    assert [one.uuid for one in paginate(backend.webhooks.list_webhooks)] == [webhook.uuid]
    backend.webhooks.delete_webhook(webhook.uuid)
