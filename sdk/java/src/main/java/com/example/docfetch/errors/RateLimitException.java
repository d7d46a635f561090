package com.example.docfetch.errors;

/** 429: too many requests, or fetches; see {@link #getRetryAfter}. */
public final class RateLimitException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public RateLimitException(ErrorAnswer answer) {
    super(answer);
  }
}
