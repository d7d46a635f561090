import datetime
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from scripted_server import PAGE, UUID, ScriptedServer, answer, client_of, error

from docfetch import ValidationError
from docfetch.generated.models.connection_health import ConnectionHealth
from docfetch.generated.models.create_identity_request import CreateIdentityRequest


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
    assert (event.type.value, event.type, event.type.is_known) == ("something.new", "something.new", False)
    assert event.to_dict()["added_later"] is True


def test_tells_an_unknown_value_from_a_known_one_that_is_named_unknown():
    unknown, later = ConnectionHealth("UNKNOWN"), ConnectionHealth("LATER")
    assert (unknown.is_known, later.is_known) == (True, False)
    assert unknown is ConnectionHealth.UNKNOWN and later.name not in ConnectionHealth.__members__
    with pytest.raises(ValueError):
        ConnectionHealth(5)


def test_sends_properties_that_this_version_does_not_know():
    with ScriptedServer(*[error(422, "INVALID_REQUEST")] * 2) as server:
        for body in ({"client_identifier": "c", "later": 1}, CreateIdentityRequest(client_identifier="c", later=1)):
            with pytest.raises(ValidationError):
                client_of(server).identities.create_identity(body)
    assert [json.loads(body) for *_, body in server.requests] == [{"client_identifier": "c", "later": 1}] * 2


def sent_time(time):
    page = {"data": [], "meta": {"next_cursor": None, "has_more": False, "poll_cursor": "p"}}
    with ScriptedServer(answer(200, page)) as server:
        client_of(server).transactions.list_transactions(created_from=time)
    return parse_qs(urlsplit(server.requests[0][1]).query)["created_from"][0]


def test_sends_times_as_the_service_reads_them():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert sent_time(datetime.datetime(2026, 11, 20, 8, tzinfo=zone)) == "2026-11-20T08:00:00+02:00"
    assert sent_time(datetime.datetime(2026, 11, 20, 8, 0, 0, 5, datetime.timezone.utc)) == "2026-11-20T08:00:00.000005+00:00"
    local = datetime.datetime(2026, 11, 20, 8)
    assert datetime.datetime.fromisoformat(sent_time(local)) == local.astimezone()


def test_leaves_other_parameters_that_look_like_times():
    with ScriptedServer(answer(200, PAGE)) as server:
        client_of(server).identities.list_identities(client_identifier="2026-11-20T08:00:00+0200")
    query = parse_qs(urlsplit(server.requests[0][1]).query)
    assert query["client_identifier"] == ["2026-11-20T08:00:00+0200"]
