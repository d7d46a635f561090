package com.example.docfetch.errors;

/** 404: there is no such resource. */
public final class NotFoundException extends DocfetchException {
  private static final long serialVersionUID = 1L;

  public NotFoundException(ErrorAnswer answer) {
    super(answer);
  }
}
