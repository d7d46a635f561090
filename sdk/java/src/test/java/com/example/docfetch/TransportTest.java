package com.example.docfetch;

import static com.example.docfetch.ScriptedServer.LOST;
import static com.example.docfetch.ScriptedServer.error;
import static com.example.docfetch.ScriptedServer.json;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.ScriptedServer.Answer;
import com.example.docfetch.api.*;
import com.example.docfetch.api.ConnectionsApi.ListConnectionsOptions;
import com.example.docfetch.api.FetchesApi.FetchNowOptions;
import com.example.docfetch.errors.*;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
  private static final UUID ID = UUID.fromString("0198f6a0-7d5c-7000-8000-000000000002");
  private static final Answer QUEUED = json(202, "{\"uuid\":\"" + ID + "\"}");
  private static final Answer EMPTY = json(200, "{\"data\":[],\"meta\":{\"next_cursor\":null,\"has_more\":false}}");

  private static DocfetchBuilder client(ScriptedServer server) {
    return Docfetch.builder(server.url()).apiKey("df_test_x");
  }

  private static FetchQueued fetchNow(ScriptedServer server) {
    return client(server).build().fetches().fetchNow(ID);
  }

  @Test
  void sendsTheCredentialsThatTheEndpointAcceptsAndTheLanguage() throws Exception {
    try (var server = new ScriptedServer(EMPTY, EMPTY)) {
      Docfetch client = Docfetch.builder(server.url() + "/").apiKey("key").token(() -> "token").lang("de").build();
      client.fetches().listFetches(ID);
      client.connections().listConnections(new ListConnectionsOptions().lang("en")); // with a token only
      var seen =
          server.requests.stream()
              .map(one -> one.header("X-API-KEY") + " " + one.header("X-TOKEN") + " " + one.header("Lang"))
              .collect(Collectors.joining("|"));
      assertEquals("key token de|null token en", seen);
      assertEquals("/v1/connections/" + ID + "/fetches", server.requests.get(0).path());
    }
  }

  @Test
  void repeatsAPostWithItsBodyAndTheSameIdempotencyKey() throws Exception {
    try (var server = new ScriptedServer(LOST, error(503, "X", "0"), error(500, "X", "0"))) {
      var body = new CreateIdentityRequest().clientIdentifier("ü");
      assertThrows(InternalException.class, () -> client(server).build().identities().createIdentity(body));
      assertEquals(3, server.requests.size());
      var keys = server.requests.stream().map(one -> one.header("Idempotency-Key")).collect(Collectors.toSet());
      assertTrue(keys.size() == 1 && !keys.contains(null), keys.toString());
      server.requests.forEach(one -> assertEquals("{\"client_identifier\":\"ü\"}", one.body()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 504})
  void repeatsARequestAfterATransientError(int status) throws Exception {
    try (var server = new ScriptedServer(error(status, "X", "0"), QUEUED)) {
      assertEquals(ID, fetchNow(server).getUuid());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 501, 505, 520})
  void doesNotRepeatARequestAfterAnotherError(int status) throws Exception {
    try (var server = new ScriptedServer(error(status, "X", "0"))) {
      assertEquals(status, assertThrows(DocfetchException.class, () -> fetchNow(server)).getStatus());
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void keepsAnIdempotencyKeyOfTheCaller() throws Exception {
    try (var server = new ScriptedServer(QUEUED)) {
      client(server).build().fetches().fetchNow(ID, new FetchNowOptions().idempotencyKey("mine"));
      assertEquals("mine", server.requests.get(0).header("Idempotency-Key"));
    }
  }

  @Test
  void waitsForARequestWithTheSameKeyThatIsStillRunning() throws Exception {
    try (var server = new ScriptedServer(error(409, "IDEMPOTENCY_IN_PROGRESS", "0"), QUEUED)) {
      assertEquals(ID, fetchNow(server).getUuid());
    }
  }

  @Test
  void doesNotRepeatAConflict() throws Exception {
    try (var server = new ScriptedServer(error(409, "SCHEDULED_FETCH_DUE", "50"))) {
      var failure = assertThrows(ConflictException.class, () -> fetchNow(server));
      assertEquals(ErrorCode.SCHEDULED_FETCH_DUE, failure.getCode());
      assertEquals(Duration.ofSeconds(50), failure.getRetryAfter().orElseThrow());
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void doesNotRepeatAPostWithoutAKey() throws Exception {
    try (var server = new ScriptedServer(error(500, "INTERNAL_ERROR", null))) {
      var body = new AcknowledgeTransactionRequest().result(AcknowledgementResult.ACCEPTED);
      var api = client(server).build().transactions();
      assertThrows(InternalException.class, () -> api.acknowledgeTransaction(ID, body));
      assertNull(server.requests.get(0).header("Idempotency-Key"));
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void throwsTheErrorAfterTheLastRetry() throws Exception {
    try (var server = new ScriptedServer(error(503, "X", "0"), error(502, "Y", "0"), error(503, "Z", "0"))) {
      var failure = assertThrows(DocfetchException.class, () -> fetchNow(server));
      assertEquals("Z", failure.getCode());
      assertEquals(3, server.requests.size());
    }
  }

  @Test
  void throwsTheErrorAtOnceWhenTheWaitIsTooLong() throws Exception {
    var inAnHour = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).format(DateTimeFormatter.RFC_1123_DATE_TIME);
    for (String after : new String[] {"31", inAnHour}) {
      try (var server = new ScriptedServer(error(429, "FETCH_QUOTA_EXCEEDED", after))) {
        var failure = assertThrows(RateLimitException.class, () -> fetchNow(server));
        assertTrue(failure.getRetryAfter().orElseThrow().toSeconds() > 30);
        assertEquals(1, server.requests.size());
      }
    }
  }

  @Test
  void aLostConnectionIsAnErrorOfItsOwn() throws Exception {
    try (var server = new ScriptedServer(LOST)) {
      var client = client(server).maxRetries(0).build();
      assertThrows(DocfetchConnectionException.class, () -> client.fetches().fetchNow(ID));
    }
  }

  @Test
  void doesNotFollowRedirects() throws Exception {
    try (var server = new ScriptedServer(new Answer(302, Map.of("Location", "http://127.0.0.1:9/"), ""))) {
      var failure = assertThrows(DocfetchException.class, () -> fetchNow(server));
      assertEquals(302, failure.getStatus());
      assertEquals(DocfetchException.UNEXPECTED_ANSWER, failure.getCode());
      var following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
      assertThrows(IllegalArgumentException.class, () -> client(server).httpClient(following));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "docfetch.example.com", "ftp://docfetch.example.com", "https://", "https://u:pass@x.example.com", "https://x y",
        "https://x.example.com/?pass", "https://x.example.com/#pass"})
  void refusesAnAddressThatIsNoneWithoutRepeatingIt(String url) {
    var failure = assertThrows(IllegalArgumentException.class, () -> Docfetch.builder(url));
    assertFalse(failure.getMessage().contains("pass"));
  }
}
