package com.example.docfetch.errors;

/** 5xx: an error of the service, or of a proxy in front of it. */
public final class InternalException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public InternalException(ErrorAnswer answer) {
    super(answer);
  }
}
