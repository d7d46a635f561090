package com.example.docfetch.errors;

/** 413, 416 and 422: the request cannot be processed; {@link #getErrors} lists the fields. */
public final class ValidationException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public ValidationException(ErrorAnswer answer) {
    super(answer);
  }
}
