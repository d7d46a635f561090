package com.example.docfetch.errors;

/** 409: not now; see {@link #getRetryAfter}. */
public final class ConflictException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public ConflictException(ErrorAnswer answer) {
    super(answer);
  }
}
