package com.example.docfetch.internal;

import com.example.docfetch.api.ErrorCode;
import com.example.docfetch.errors.DocfetchConnectionException;
import com.example.docfetch.errors.DocfetchException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Repeats requests that were not processed, or that are safe to repeat. */
final class Retries {
  private static final long FIRST_BACKOFF_MS = 500;
  private static final long MAX_BACKOFF_MS = 8000;
  /** Transient errors of the service, or of a proxy in front of it. */
  private static final Set<Integer> TRANSIENT = Set.of(500, 502, 503, 504);

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
        boolean isTooLong = failure.getRetryAfter().filter(asked -> asked.compareTo(maxWait) > 0).isPresent();
        if (isLast || isTooLong || !isRetryable(call, failure)) {
          throw failure;
        }
        wait = failure.getRetryAfter().orElse(backoff(count));
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
    // 429: it was not processed.
    return status == 429 || TRANSIENT.contains(status) && call.isIdempotent();
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
