package com.example.docfetch;

import static org.junit.jupiter.api.Assertions.*;

import com.example.docfetch.errors.VerificationException;
import com.example.docfetch.errors.VerificationException.Reason;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerifierTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Stream<Named<JsonNode>> samples(String name) throws IOException {
    var all = JSON.readTree(Path.of(Environment.variable("DOCFETCH_SAMPLES"), name).toFile());
    return StreamSupport.stream(all.spliterator(), false).map(one -> Named.of(one.get("name").asText(), one));
  }

  static Stream<Named<JsonNode>> messages() throws IOException {
    return samples("messages.json");
  }

  static Stream<Named<JsonNode>> returnUrls() throws IOException {
    return samples("return-urls.json");
  }

  private static Verifier verifier(JsonNode sample) {
    List<String> secrets = new ArrayList<>();
    sample.get("secrets").forEach(one -> secrets.add(one.asText()));
    var clock = Clock.fixed(Instant.parse(sample.get("now").asText()), ZoneOffset.UTC);
    return new Verifier(secrets, clock, Duration.ofSeconds(sample.path("tolerance_seconds").asLong(300)));
  }

  private interface Verification {
    Object run() throws VerificationException;
  }

  private static Object outcome(Verification verification) {
    try {
      return verification.run();
    } catch (VerificationException failure) {
      return failure.getReason().name();
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void verifiesMessagesAsTheServiceSignsThem(JsonNode sample) {
    Map<String, List<String>> headers = new HashMap<>();
    sample.get("headers").properties().forEach(one -> headers.put(one.getKey(), List.of(one.getValue().asText())));
    byte[] body = sample.get("body").asText().getBytes(StandardCharsets.UTF_8);
    Object found = outcome(() -> verifier(sample).verifyPush(body, headers).getTransactionUuid().toString());
    String expected = sample.path("reason").asText("").replace("null", "");
    assertEquals(expected.isEmpty() ? "0198f6a0-7d5c-7000-8000-000000000003" : expected, found);
    Object webhook = outcome(() -> verifier(sample).verifyWebhook(body, headers) == null ? "" : "");
    assertEquals(expected, webhook);
  }

  @ParameterizedTest
  @MethodSource("returnUrls")
  void verifiesReturnUrlsAsTheServiceSignsThem(JsonNode sample) {
    Map<String, String> parameters = new LinkedHashMap<>();
    sample.path("parameters").properties().forEach(one -> parameters.put(one.getKey(), one.getValue().asText()));
    Object expected = parameters.isEmpty() ? sample.get("reason").asText() : parameters;
    assertEquals(expected, outcome(() -> verifier(sample).verifyReturnUrl(sample.get("url").asText())));
  }

  @Test
  void usesTheClockWhenNoTimeIsGiven() throws IOException {
    var first = samples("return-urls.json").findFirst().orElseThrow().getPayload();
    var found = outcome(() -> new Verifier(first.at("/secrets/0").asText()).verifyReturnUrl(first.get("url").asText()));
    assertTrue(List.of(Reason.EXPIRED.name(), Reason.FROM_THE_FUTURE.name()).contains(found), found.toString());
  }

  @Test
  void aHeaderThatIsThereTwiceIsNone() throws IOException {
    var first = samples("messages.json").findFirst().orElseThrow().getPayload();
    Map<String, List<String>> headers = new HashMap<>();
    first.get("headers").properties().forEach(one -> headers.put(one.getKey(), List.of(one.getValue().asText())));
    headers.put("Webhook-Id", List.of("other"));
    var found = outcome(() -> verifier(first).verifyPush(new byte[0], headers));
    assertEquals(Reason.SIGNATURE_MISSING.name(), found);
  }

  @Test
  void refusesASecretThatAnybodyHasOrThatIsNone() {
    String good = "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    for (String[] secrets :
        new String[][] {{}, {""}, {"whsec_"}, {good, ""}, {"whsec_not base64!"}, {good, "whsec_*"}}) {
      assertThrows(IllegalArgumentException.class, () -> new Verifier(secrets));
    }
  }
}
