package com.example.docfetch;

import com.example.docfetch.api.ProvisionedDocument;
import com.example.docfetch.errors.VerificationException;
import com.example.docfetch.errors.VerificationException.Reason;
import com.example.docfetch.internal.Json;
import com.example.docfetch.internal.Json.InvalidJsonException;
import com.example.docfetch.internal.Query;
import com.example.docfetch.internal.Signatures;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Verifies what Docfetch signs: pushes, webhooks, and the URL with which a user returns. Threads can share it. */
public final class Verifier {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,15}");
  private static final Pattern MESSAGE_SIGNATURE = Pattern.compile("v1,[A-Za-z0-9+/]{43}=");
  private static final Pattern URL_SIGNATURE = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final List<String> RETURN_PARAMETERS =
      List.of("result", "action", "identity_uuid", "connection_uuid", "integration_id", "status", "state", "ts", "nonce");

  private final Signatures signatures;
  private final Clock clock;
  private final Duration tolerance;

  /** The signing secret of the environment ({@code whsec_…}); several during a rotation, of which one must match. */
  public Verifier(String... secrets) {
    this(List.of(secrets), Clock.systemUTC(), Duration.ofMinutes(5));
  }

  /** {@code tolerance}: the maximum difference between the signed time and the clock; 5 minutes in the other constructor. */
  public Verifier(List<String> secrets, Clock clock, Duration tolerance) {
    this.signatures = new Signatures(secrets);
    this.clock = Objects.requireNonNull(clock, "clock");
    this.tolerance = Objects.requireNonNull(tolerance, "tolerance");
  }

  /**
   * Verifies a pushed document and returns it; after an exception answer 401. Store it before you answer 200: Docfetch then
   * considers it delivered. It may arrive twice, with the same transaction UUID.
   *
   * @param body the raw body, before any parsing
   * @param headers those of the request; the case of names does not matter
   */
  public ProvisionedDocument verifyPush(byte[] body, Map<String, List<String>> headers) throws VerificationException {
    return verified(body, headers, ProvisionedDocument.class);
  }

  /** Like {@link #verifyPush}, for a webhook. Its secret was returned when the webhook was registered. */
  public WebhookMessage verifyWebhook(byte[] body, Map<String, List<String>> headers) throws VerificationException {
    return verified(body, headers, WebhookMessage.class);
  }

  /**
   * Verifies the URL with which a user returned from the hosted UI, and returns its parameters. It is valid for the tolerance;
   * store {@code nonce} for that time to accept it only once.
   *
   * @param url the full URL as requested by the browser, including scheme and host
   */
  public Map<String, String> verifyReturnUrl(String url) throws VerificationException {
    String address = url.split("#", 2)[0]; // A browser may add a fragment; a server never receives it.
    Map<String, List<String>> query =
        Query.of(address).orElseThrow(() -> new VerificationException(Reason.MALFORMED));
    if (!query.containsKey("sig")) {
      throw new VerificationException(Reason.SIGNATURE_MISSING);
    }
    int position = address.indexOf("&sig=");
    String signature = position < 0 ? "" : address.substring(position + "&sig=".length());
    if (query.get("sig").size() > 1 || !URL_SIGNATURE.matcher(signature).matches()) {
      throw new VerificationException(Reason.SIGNATURE_INVALID);
    }
    byte[] signed = address.substring(0, position).getBytes(StandardCharsets.UTF_8);
    check(List.of(signature.replace('-', '+').replace('_', '/') + "="), "v1.", signed);
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : RETURN_PARAMETERS) {
      List<String> values = query.getOrDefault(name, List.of());
      if (values.size() > 1) {
        throw new VerificationException(Reason.MALFORMED);
      }
      values.forEach(value -> found.put(name, value));
    }
    checkTime(found.getOrDefault("ts", ""));
    return found;
  }

  private <T> T verified(byte[] body, Map<String, List<String>> headers, Class<T> type) throws VerificationException {
    String id = only(headers, "webhook-id");
    String timestamp = only(headers, "webhook-timestamp");
    String sent = only(headers, "webhook-signature");
    if (id.isEmpty() || timestamp.isEmpty() || sent.isEmpty()) {
      throw new VerificationException(Reason.SIGNATURE_MISSING);
    }
    if (!SECONDS.matcher(timestamp).matches()) {
      throw new VerificationException(Reason.MALFORMED);
    }
    List<String> candidates = new ArrayList<>();
    for (String signature : sent.split(" ")) {
      if (MESSAGE_SIGNATURE.matcher(signature).matches()) {
        candidates.add(signature.substring("v1,".length()));
      }
    }
    check(candidates, id + "." + timestamp + ".", body);
    checkTime(timestamp);
    try {
      T found = Json.read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString(), type);
      if (found != null) {
        return found;
      }
    } catch (CharacterCodingException | InvalidJsonException error) {
      // Like JSON that is null.
    }
    throw new VerificationException(Reason.MALFORMED);
  }

  private void check(List<String> candidates, String start, byte[] end) throws VerificationException {
    List<byte[]> macs = new ArrayList<>();
    candidates.stream().map(Signatures::decoded).filter(Objects::nonNull).forEach(macs::add);
    if (!signatures.matchesOne(macs, start, end)) {
      throw new VerificationException(Reason.SIGNATURE_INVALID);
    }
  }

  private void checkTime(String timestamp) throws VerificationException {
    if (!SECONDS.matcher(timestamp).matches()) {
      throw new VerificationException(Reason.MALFORMED);
    }
    Duration age = Duration.ofMillis(clock.millis() - Long.parseLong(timestamp) * 1000);
    if (age.compareTo(tolerance) > 0) {
      throw new VerificationException(Reason.EXPIRED);
    }
    if (age.negated().compareTo(tolerance) > 0) {
      throw new VerificationException(Reason.FROM_THE_FUTURE);
    }
  }

  private static String only(Map<String, List<String>> headers, String name) {
    List<String> found = new ArrayList<>();
    headers.forEach(
        (key, values) -> {
          if (name.equalsIgnoreCase(key)) {
            found.addAll(values);
          }
        });
    return found.size() == 1 ? found.get(0) : "";
  }
}
