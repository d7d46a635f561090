package com.example.docfetch.internal;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;

/** A request of the generated code. */
public final class Call {
  static final String KEY_HEADER = "Idempotency-Key";

  final String method;
  final Map<String, String> headers = new LinkedHashMap<>();
  final Set<String> credentials = new LinkedHashSet<>();
  Object body;
  boolean mayBeEmpty;
  private String path;
  private final StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");

  public Call(String method, String path) {
    this.method = method;
    this.path = path;
    header("Accept", "application/json");
  }

  public Call path(String name, Object value) {
    String text = textOf(Objects.requireNonNull(value, name));
    if (text.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty.");
    }
    path = path.replace("{" + name + "}", encoded(text));
    return this;
  }

  public Call query(String name, Object value) {
    if (value != null) {
      query.add(encoded(name) + "=" + encoded(textOf(value)));
    }
    return this;
  }

  /** A POST whose operation has the header `Idempotency-Key` gets a key if the caller has none. */
  public Call header(String name, Object value) {
    if (value != null) {
      headers.put(name, textOf(value));
    } else if (name.equals(KEY_HEADER) && method.equals("POST")) {
      headers.put(name, UUID.randomUUID().toString());
    }
    return this;
  }

  public Call body(Object body) {
    this.body = Objects.requireNonNull(body, "body");
    return this;
  }

  /** The header of a credential that the operation accepts. */
  public Call credential(String header) {
    credentials.add(header);
    return this;
  }

  /** The operation also has a success without content. */
  public Call mayBeEmpty() {
    mayBeEmpty = true;
    return this;
  }

  URI uri(String baseUrl) {
    return URI.create(baseUrl + path + query);
  }

  /** For error messages. */
  @Override
  public String toString() {
    return method + " " + path;
  }

  /** Whether it can be repeated without doing anything twice (RFC 9110 9.2.2). */
  boolean isIdempotent() {
    return method.equals("GET") || method.equals("PUT") || method.equals("DELETE") || headers.containsKey(KEY_HEADER);
  }

  private static String textOf(Object value) {
    return value instanceof OffsetDateTime
        ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format((OffsetDateTime) value)
        : value.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
