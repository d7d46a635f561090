import base64
import hashlib
import io
import os

import pytest
from test_readme import EXAMPLES

from docfetch import Docfetch, ErrorCode, NotFoundError, RateLimitError, paginate, poll_transactions
from docfetch.generated.models.create_connection_request import CreateConnectionRequest
from docfetch.generated.models.create_identity_request import CreateIdentityRequest

URL = os.environ["DOCFETCH_URL"]
DOCUMENTS = 5


@pytest.fixture(scope="module")
def identity(backend):
    body = CreateIdentityRequest(client_identifier="customer-1", display_name="Müller & Söhne", type="COMPANY")
    return backend.identities.create_identity(body).data


@pytest.fixture(scope="module")
def end_user(backend, identity):
    request = {"identity_uuid": identity.identity_uuid, "return_url": os.environ["DOCFETCH_RETURN_URL"], "lang": "de"}
    opened = backend.ui_token.create_token(request).data
    assert f"token={opened.token}" in opened.ui_url
    return Docfetch(URL, token=lambda: opened.token, lang="de")


@pytest.fixture(scope="module")
def connection(backend, end_user, eventually):
    """A sandbox portal that is set up in two steps, and whose first fetch has ended."""
    fields = {"user": "sdk", "password": "p", "documents": DOCUMENTS, "new_per_fetch": 0}
    created = end_user.connections.create_connection(
        CreateConnectionRequest(integration_id="sandbox", name="Portal", fields=fields)
    ).data
    assert (created.status, created.setup_complete, created.fields["documents"]) == ("PENDING", False, DOCUMENTS)
    assert "password" not in created.fields
    more = end_user.connections.load_more_options(created.uuid, "folders", {"parent_id": "shared"}).data
    assert [option.label for option in more.options] == ["Büro & Buchhaltung", "Einkauf"]
    chosen = {"fields": {"folders": ["inbox", more.options[0].value]}}
    assert end_user.connections.save_step2(created.uuid, chosen) is None

    def fetched():
        last = backend.connections.get_connection(created.uuid).data.last_fetch
        return last and last.status == "SUCCEEDED"

    eventually(fetched, "the first fetch succeeds")
    return backend.connections.get_connection(created.uuid).data


@pytest.fixture(scope="module")
def transactions(backend, connection):
    return [one for page in poll_transactions(backend, until_caught_up=True, limit=2) for one in page.transactions]


def test_creates_an_identity_once_and_lists_all_over_several_pages(backend, identity):
    body = {"client_identifier": "customer-1", "display_name": "Müller & Söhne", "type": "COMPANY"}
    assert backend.identities.create_identity(body).data == identity
    for number in range(2, 6):
        backend.identities.create_identity({"client_identifier": f"customer-{number}"})
    found = [one.client_identifier for one in paginate(backend.identities.list_identities, limit=2)]
    assert [name for name in found if "readme" not in name] == [f"customer-{number}" for number in range(1, 6)]
    assert len(set(found)) == len(found)


def test_an_end_user_connects_a_portal_in_two_steps(connection, identity):
    assert (connection.status.value, connection.health.value, connection.reason) == ("ACTIVE", "OK", None)
    assert connection.identity_uuid == identity.identity_uuid
    assert connection.last_fetch.documents_new == DOCUMENTS
    assert connection.last_success_at.utcoffset().total_seconds() == 0


def test_texts_are_in_the_language_of_the_client(backend, end_user):
    labels = [
        {field.id: field.label for field in client.integrations.get_integration("sandbox").data.step1_fields}
        for client in (backend, end_user)
    ]
    assert [one["password"] for one in labels] == ["Password", "Passwort"]


def test_follows_the_feed_and_receives_each_document_once(backend, connection, transactions):
    assert len({one.transaction_uuid for one in transactions}) == len(transactions) == DOCUMENTS
    assert {one.connection_uuid for one in transactions} == {connection.uuid}
    pages = list(poll_transactions(backend, until_caught_up=True))
    assert list(poll_transactions(backend, cursor=pages[-1].cursor, until_caught_up=True)) == []
    listed = paginate(backend.transactions.list_transactions, limit=2, connection_uuid=connection.uuid)
    assert [one.transaction_uuid for one in listed] == [one.transaction_uuid for one in transactions]
    assert backend.transactions.get_transaction(transactions[0].transaction_uuid).data == transactions[0]


def test_pulls_a_document_as_json_as_bytes_and_in_part(backend, transactions):
    first = transactions[0]
    payload = backend.transactions.pull_document(first.transaction_uuid).data
    content = base64.b64decode(payload.document.base64_)
    assert hashlib.sha256(content).hexdigest() == first.document.sha256
    with backend.download_document(first.transaction_uuid) as download:
        assert (download.filename, download.size) == (payload.document.filename, len(content))
        assert download.sha256 == first.document.sha256
        file = io.BytesIO()
        assert download.save_to(file) == len(content)
    assert file.getvalue() == content
    with backend.download_document(first.transaction_uuid, byte_range="bytes=10-") as part:
        assert part.status == 206 and b"".join(part) == content[10:]


def test_the_polling_of_the_readme_stores_each_document_and_continues(transactions, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = next(one for one in EXAMPLES if "poll_transactions" in one)
    example = example.replace("https://docfetch.example.com", URL).replace("interval=30", "until_caught_up=True")
    receive = {}
    exec(compile(example, "README.md", "exec"), receive)
    receive["receive"]()
    stored = {path.name: path for path in tmp_path.iterdir()}
    assert set(stored) == {"cursor", *(str(one.transaction_uuid) for one in transactions)}
    for one in transactions:
        path = stored[str(one.transaction_uuid)]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == one.document.sha256
        path.unlink()
    receive["receive"]()
    assert [path.name for path in tmp_path.iterdir()] == ["cursor"]


def test_acknowledges_a_document(backend, transactions):
    backend.transactions.acknowledge_transaction(transactions[0].transaction_uuid, {"result": "ACCEPTED"})
    found = backend.transactions.get_transaction(transactions[0].transaction_uuid).data
    assert found.provisioning.status == "ACKNOWLEDGED"


def test_fetches_on_request_until_the_quota_is_used(backend, german_backend, connection, eventually):
    queued = backend.fetches.fetch_now(connection.uuid)
    eventually(lambda: backend.fetches.get_fetch(queued.uuid).data.status == "SUCCEEDED", "the fetch succeeds")
    with pytest.raises(RateLimitError) as caught:
        for _ in range(20):
            german_backend.fetches.fetch_now(connection.uuid)
    assert caught.value.code == ErrorCode.FETCH_QUOTA_EXCEEDED
    assert caught.value.retry_after > 30


def test_a_request_that_is_repeated_with_its_key_is_executed_once(backend, identity):
    body = {"integration_id": "sandbox", "name": "Once", "fields": {"user": "u", "password": "p"}}
    body["identity_uuid"] = str(identity.identity_uuid)
    one, again = (backend.connections.create_connection(body, idempotency_key="once").data for _ in range(2))
    assert one.uuid == again.uuid
    backend.connections.disable_connection(one.uuid)
    assert backend.connections.get_connection(one.uuid).data.status == "DISABLED"
    assert backend.connections.delete_connection(one.uuid) is None
    with pytest.raises(NotFoundError) as caught:
        backend.connections.get_connection(one.uuid)
    assert caught.value.code == "CONNECTION_NOT_FOUND"
