package com.example.docfetch.errors;

/** There was no complete response: the service may or may not have processed the request. */
public final class DocfetchConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DocfetchConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
