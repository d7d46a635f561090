package com.example.docfetch;

import static com.example.docfetch.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.ScriptedServer.Request;
import com.example.docfetch.api.*;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BodiesTest {
  private static final UUID ID = UUID.fromString("0198f6a0-7d5c-7000-8000-000000000002");

  @Test
  void keepsValuesAndPropertiesOfLaterVersions() throws Exception {
    String event =
        "{\"event_uuid\":\"" + ID + "\",\"type\":\"something.new\",\"created_at\":\"2026-11-20T08:30:00.000Z\","
            + "\"data\":{\"anything\":1},\"deliveries\":[],\"added_later\":{\"x\":true}}";
    String meta = "{\"next_cursor\":null,\"has_more\":false,\"poll_cursor\":\"p\"}";
    try (var server = new ScriptedServer(json(200, "{\"data\":[" + event + "],\"meta\":" + meta + "}"))) {
      Event found = Docfetch.builder(server.url()).apiKey("k").build().webhooks().listEvents().getData().get(0);
      assertEquals("something.new", found.getType().getValue());
      assertFalse(found.getType().isKnown());
      assertSame(WebhookEventType.DOCUMENT_AVAILABLE, WebhookEventType.of("document.available"));
      assertEquals(Map.of("added_later", Map.of("x", true)), found.getAdditionalProperties());
      assertEquals(OffsetDateTime.of(2026, 11, 20, 8, 30, 0, 0, ZoneOffset.UTC), found.getCreatedAt());
    }
  }

  @Test
  void nullIsSentWhenItWasSet() throws Exception {
    String identity =
        "{\"data\":{\"identity_uuid\":\"" + ID + "\",\"client_identifier\":\"c\",\"type\":\"COMPANY\",\"display_name\":null,"
            + "\"metadata\":{},\"connections\":{\"total\":0,\"active\":0,\"needs_attention\":0},"
            + "\"created_at\":\"2026-11-20T08:30:00.000Z\",\"updated_at\":\"2026-11-20T08:30:00.000Z\"}}";
    try (var server = new ScriptedServer(json(200, identity), json(200, identity))) {
      var metadata = new HashMap<String, String>();
      metadata.put("gone", null);
      var api = Docfetch.builder(server.url()).apiKey("k").build().identities();
      api.updateIdentity(ID, new UpdateIdentityRequest().displayName(null).metadata(metadata));
      api.updateIdentity(ID, new UpdateIdentityRequest());
      assertEquals("{\"display_name\":null,\"metadata\":{\"gone\":null}}", server.requests.get(0).body());
      assertEquals("{}", server.requests.get(1).body());
    }
  }

  @Test
  void sendsTimesAndTextsAsTheServiceReadsThem() throws Exception {
    String page = "{\"data\":[],\"meta\":{\"next_cursor\":null,\"has_more\":false,\"poll_cursor\":\"p\"}}";
    try (var server = new ScriptedServer(json(200, page))) {
      var from = OffsetDateTime.of(2026, 11, 20, 8, 0, 0, 0, ZoneOffset.ofHours(2));
      var options = new TransactionsApi.ListTransactionsOptions().createdFrom(from).externalId("a b+c&ü");
      Docfetch.builder(server.url()).apiKey("k").build().transactions().listTransactions(options);
      Request request = server.requests.get(0);
      assertEquals(
          "/v1/transactions?created_from=2026-11-20T08%3A00%3A00%2B02%3A00&external_id=a%20b%2Bc%26%C3%BC", request.path());
    }
  }
}
