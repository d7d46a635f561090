package com.example.docfetch.internal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.openapitools.jackson.nullable.JsonNullableModule;

/** JSON as the API reads and writes it. Properties of later versions are no errors. */
public final class Json {
  /** Members whose values are not for logs: credentials, form input, addresses that contain a token, and large content. */
  private static final Set<String> HIDDEN =
      Set.of("token", "secret", "signing_secret", "password", "fields", "authorization_url", "ui_url", "base64");

  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new JsonNullableModule())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          // Null as a value of a map is a statement, for example "remove this entry".
          .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private Json() {}

  /** Throws an exception without a part of the text, which may be secret. */
  public static <T> T read(String text, Class<T> type) throws InvalidJsonException {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException error) {
      throw new InvalidJsonException();
    }
  }

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException("The body cannot be written as JSON: " + error.getOriginalMessage());
    }
  }

  public static String forLogs(Object value) {
    return hidden(MAPPER.valueToTree(value)).toString();
  }

  private static JsonNode hidden(JsonNode node) {
    node.forEach(Json::hidden);
    if (node instanceof ObjectNode) {
      List<String> names = new ArrayList<>();
      node.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        if (HIDDEN.contains(name) && !node.get(name).isNull()) {
          ((ObjectNode) node).put(name, "…");
        }
      }
    }
    return node;
  }

  /** The text is not JSON, or not that of the type. */
  public static final class InvalidJsonException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
