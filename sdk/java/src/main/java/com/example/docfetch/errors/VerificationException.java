package com.example.docfetch.errors;

/** A verification failed: do not use the data. */
public final class VerificationException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why it failed: for your log, not for the sender. */
  public enum Reason {
    MALFORMED,
    SIGNATURE_MISSING,
    SIGNATURE_INVALID,
    EXPIRED,
    FROM_THE_FUTURE
  }

  private final Reason reason;

  public VerificationException(Reason reason) {
    super("The verification failed: " + reason);
    this.reason = reason;
  }

  public Reason getReason() {
    return reason;
  }
}
