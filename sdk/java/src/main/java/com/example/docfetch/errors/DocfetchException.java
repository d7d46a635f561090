package com.example.docfetch.errors;

import com.example.docfetch.api.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An error response of the service. Base decisions on {@link #getCode}; {@link #getDetail} may be shown to end users. The
 * subclasses are those of the HTTP statuses.
 */
public class DocfetchException extends RuntimeException {
  /** The code of a response that is not from Docfetch, e.g. from a proxy. */
  public static final String UNEXPECTED_ANSWER = "UNEXPECTED_ANSWER";

  private static final long serialVersionUID = 1L;

  private final transient ErrorAnswer answer;

  public DocfetchException(ErrorAnswer answer) {
    super(
        answer.status + " " + answer.code + ": " + answer.detail
            + (answer.requestId == null ? "" : " (" + answer.requestId + ")"));
    this.answer = answer;
  }

  /** The status of HTTP. */
  public int getStatus() {
    return answer.status;
  }

  /** One of {@link com.example.docfetch.api.ErrorCode}, one of a later version, or {@link #UNEXPECTED_ANSWER}. */
  public String getCode() {
    return answer.code;
  }

  /** The kind of error, in the language of the request. */
  public String getTitle() {
    return answer.title;
  }

  /** A message for end users, in the language of the request. */
  public String getDetail() {
    return answer.detail;
  }

  /** The URL of the explanation of the code. */
  public Optional<String> getType() {
    return Optional.ofNullable(answer.type);
  }

  /** For the support team. */
  public Optional<String> getRequestId() {
    return Optional.ofNullable(answer.requestId);
  }

  /** The errors of all fields; empty if there are none. */
  public List<FieldError> getErrors() {
    return answer.errors;
  }

  /** The time until the request can succeed. */
  public Optional<Duration> getRetryAfter() {
    return Optional.ofNullable(answer.retryAfter);
  }
}
