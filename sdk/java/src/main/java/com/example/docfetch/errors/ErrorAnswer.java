package com.example.docfetch.errors;

import com.example.docfetch.api.FieldError;
import java.time.Duration;
import java.util.List;

/** The parts of an error response, for the SDK itself. */
public final class ErrorAnswer {
  public int status;
  public String code;
  public String title;
  public String detail;
  public String type;
  public String requestId;
  public List<FieldError> errors = List.of();
  public Duration retryAfter;
}
