package com.example.docfetch;

import static com.example.docfetch.Environment.*;
import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.api.*;
import com.example.docfetch.errors.*;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceErrorsTest {
  @ParameterizedTest
  @CsvSource({"en, required, is required", "de, fehlen, ist erforderlich"})
  void errorsHaveCodesAndMessagesInBothLanguages(String lang, String detail, String message) {
    var client = backend(lang);
    var identity = client.identities().createIdentity(new CreateIdentityRequest().clientIdentifier("errors")).getData();
    var body =
        new CreateConnectionRequest()
            .integrationId("sandbox")
            .name("x")
            .identityUuid(identity.getIdentityUuid())
            .fields(Map.of());
    var failure = assertThrows(ValidationException.class, () -> client.connections().createConnection(body));
    client.identities().deleteIdentity(identity.getIdentityUuid());
    assertEquals(422, failure.getStatus());
    assertEquals(ErrorCode.MISSING_REQUIRED_FIELDS, failure.getCode());
    var found = failure.getErrors().stream().collect(Collectors.toMap(FieldError::getField, FieldError::getCode));
    assertEquals(Map.of("fields.user", FieldErrorCode.REQUIRED, "fields.password", FieldErrorCode.REQUIRED), found);
    assertTrue(failure.getDetail().contains(detail), failure.getDetail());
    assertTrue(failure.getErrors().get(0).getMessage().contains(message), failure.getErrors().toString());
    assertTrue(failure.getRequestId().orElseThrow().startsWith("req_"));
    assertTrue(failure.getType().orElseThrow().endsWith("#MISSING_REQUIRED_FIELDS"));
  }

  @Test
  void credentialsThatAreNotValidAreAnError() {
    var builder = Docfetch.builder(variable("DOCFETCH_URL")).lang("de");
    var missing = assertThrows(UnauthorizedException.class, () -> builder.build().connections().listConnections());
    assertEquals(ErrorCode.MISSING_CREDENTIALS, missing.getCode());
    builder.apiKey("df_test_wrong");
    var wrong = assertThrows(UnauthorizedException.class, () -> builder.build().identities().listIdentities());
    assertEquals(ErrorCode.INVALID_API_KEY, wrong.getCode());
    assertTrue(wrong.getDetail().contains("API-Schlüssel"), wrong.getDetail());
  }

  @Test
  void receivesAndVerifiesAWebhook() throws Exception {
    record Received(byte[] body, Map<String, List<String>> headers) {}
    var first = new CompletableFuture<Received>();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/events",
        exchange -> {
          first.complete(new Received(exchange.getRequestBody().readAllBytes(), Map.copyOf(exchange.getRequestHeaders())));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try {
      var webhooks = backend(null).webhooks();
      var body =
          new CreateWebhookRequest()
              .url("http://127.0.0.1:" + server.getAddress().getPort() + "/events")
              .events(List.of(WebhookEventType.DOCUMENT_AVAILABLE));
      var webhook = webhooks.createWebhook(body).getData();
      assertNull(webhooks.testWebhook(webhook.getUuid()).getData().getError());
      var received = first.get(30, TimeUnit.SECONDS);
      var message = new Verifier(webhook.getSecret()).verifyWebhook(received.body(), received.headers());
      assertEquals("webhook.test", message.getType());
      assertEquals(webhook.getUuid(), webhooks.listWebhooksPaginator().iterator().next().getUuid());
      webhooks.deleteWebhook(webhook.getUuid());
    } finally {
      server.stop(0);
    }
  }
}
