package com.example.docfetch.internal;

import com.example.docfetch.api.FieldError;
import com.example.docfetch.errors.*;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** Errors of responses. */
final class Failures {
  /** An error response of another program can have any size. */
  private static final int MAX_BYTES = 1 << 20;

  private Failures() {}

  /** Reads and closes the body. */
  static DocfetchException of(HttpResponse<InputStream> response) throws IOException {
    byte[] raw;
    try (InputStream body = response.body()) {
      raw = body.readNBytes(MAX_BYTES);
    }
    ErrorAnswer answer = answerOf(response, raw);
    switch (response.statusCode()) {
      case 401:
        return new UnauthorizedException(answer);
      case 403:
        return new ForbiddenException(answer);
      case 404:
        return new NotFoundException(answer);
      case 409:
        return new ConflictException(answer);
      case 413:
      case 416:
      case 422:
        return new ValidationException(answer);
      case 429:
        return new RateLimitException(answer);
      default:
        return response.statusCode() >= 500 ? new InternalException(answer) : new DocfetchException(answer);
    }
  }

  /** Of a response that is not from Docfetch, e.g. from a proxy. */
  static ErrorAnswer unexpected(HttpResponse<?> response) {
    ErrorAnswer answer = new ErrorAnswer();
    answer.status = response.statusCode();
    answer.code = DocfetchException.UNEXPECTED_ANSWER;
    answer.title = "Unexpected answer";
    answer.detail = "The response with status " + response.statusCode() + " is not from Docfetch.";
    answer.requestId = response.headers().firstValue("X-Request-Id").orElse(null);
    answer.retryAfter = retryAfterOf(response);
    return answer;
  }

  private static ErrorAnswer answerOf(HttpResponse<?> response, byte[] raw) {
    ErrorAnswer answer = unexpected(response);
    JsonNode body = bodyOf(raw);
    if (body == null || !body.path("code").isTextual() || !body.path("detail").isTextual()) {
      return answer;
    }
    answer.code = body.get("code").textValue();
    answer.detail = body.get("detail").textValue();
    answer.title = body.path("title").asText();
    answer.type = body.path("type").textValue();
    if (body.path("request_id").isTextual()) {
      answer.requestId = body.get("request_id").textValue();
    }
    answer.errors = errorsOf(body.path("errors"));
    return answer;
  }

  private static JsonNode bodyOf(byte[] raw) {
    try {
      return Json.MAPPER.readTree(raw);
    } catch (IOException error) {
      return null;
    }
  }

  private static List<FieldError> errorsOf(JsonNode errors) {
    List<FieldError> found = new ArrayList<>();
    for (JsonNode error : errors) {
      try {
        found.add(Json.MAPPER.treeToValue(error, FieldError.class));
      } catch (JsonProcessingException ignored) {
        // Not an error of a field.
      }
    }
    return List.copyOf(found);
  }

  /** Either form of Retry-After (RFC 9110 10.2.3). */
  private static Duration retryAfterOf(HttpResponse<?> response) {
    String header = response.headers().firstValue("Retry-After").orElse("");
    if (header.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(header));
    }
    try {
      Instant at = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(Instant.now(), at);
      return wait.isNegative() ? Duration.ZERO : wait.plusNanos(999_999_999).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    } catch (DateTimeParseException error) {
      return null;
    }
  }
}
