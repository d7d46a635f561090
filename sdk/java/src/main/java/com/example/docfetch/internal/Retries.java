package com.example.docfetch.internal;

import com.example.docfetch.api.ErrorCode;
import com.example.docfetch.errors.DocfetchConnectionException;
import com.example.docfetch.errors.DocfetchException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Repeats requests that were not processed, or that are safe to repeat. */
final class Retries {
  private static final long FIRST_BACKOFF_MS = 500;
  private static final long MAX_BACKOFF_MS = 8000;

  private final int maxRetries;
  private final Duration maxWait;

  Retries(int maxRetries, Duration maxWait) {
    this.maxRetries = maxRetries;
    this.maxWait = maxWait;
  }

  <T> T run(Call call, Supplier<T> attempt) {
    for (int count = 0; ; count++) {
      boolean isLast = count >= maxRetries;
      Duration wait;
      try {
        return attempt.get();
      } catch (DocfetchConnectionException failure) {
        if (isLast || !call.isIdempotent() || Thread.currentThread().isInterrupted()) {
          throw failure;
        }
        wait = backoff(count);
      } catch (DocfetchException failure) {
        wait = failure.getRetryAfter().orElse(backoff(count));
        if (isLast || !isRetryable(call, failure) || wait.compareTo(maxWait) > 0) {
          throw failure;
        }
      }
      pause(call, wait);
    }
  }

  private static boolean isRetryable(Call call, DocfetchException failure) {
    int status = failure.getStatus();
    if (status == 409) {
      // The first request with this key is still being processed; a retry returns its response.
      return failure.getCode().equals(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
    }
    // 429: it was not processed. 5xx: of the service, or of a proxy in front of it; 501 is permanent.
    return status == 429 || status >= 500 && status != 501 && call.isIdempotent();
  }

  private static Duration backoff(int count) {
    long limit = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS << Math.min(count, 10));
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(limit + 1));
  }

  private static void pause(Call call, Duration wait) {
    try {
      Thread.sleep(wait.toMillis());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new DocfetchConnectionException(call + " was interrupted.", error);
    }
  }
}
