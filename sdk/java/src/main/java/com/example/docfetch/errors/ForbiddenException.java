package com.example.docfetch.errors;

/** 403: the credentials do not allow this. */
public final class ForbiddenException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public ForbiddenException(ErrorAnswer answer) {
    super(answer);
  }
}
