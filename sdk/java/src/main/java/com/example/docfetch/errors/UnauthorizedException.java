package com.example.docfetch.errors;

/** 401: the credentials are missing or not valid. */
public final class UnauthorizedException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public UnauthorizedException(ErrorAnswer answer) {
    super(answer);
  }
}
