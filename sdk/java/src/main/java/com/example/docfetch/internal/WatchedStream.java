package com.example.docfetch.internal;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The body of a response, whose every wait for data has a time limit. {@code java.net.http} limits only that for its headers. */
final class WatchedStream extends InputStream {
  private static final ScheduledThreadPoolExecutor WATCH = watch();

  private final InputStream source;
  private final Duration limit;
  private final ScheduledFuture<?> check;
  /** Of {@link System#nanoTime}; meaningful while {@code isWaiting}. */
  private volatile long since;
  private volatile boolean isWaiting;
  private volatile boolean isTimedOut;

  WatchedStream(InputStream source, Duration limit) {
    this.source = source;
    this.limit = limit;
    long pause = Math.max(1, limit.toMillis() / 4);
    check = WATCH.scheduleWithFixedDelay(this::closeIfStalled, pause, pause, TimeUnit.MILLISECONDS);
  }

  private static ScheduledThreadPoolExecutor watch() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "docfetch-timeouts");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    since = System.nanoTime();
    isWaiting = true;
    try {
      int count = source.read(into, offset, length);
      if (isTimedOut) {
        throw timedOut(null);
      }
      if (count < 0) {
        check.cancel(false);
      }
      return count;
    } catch (IOException error) {
      throw isTimedOut ? timedOut(error) : error;
    } finally {
      isWaiting = false;
    }
  }

  @Override
  public int available() throws IOException {
    return source.available();
  }

  @Override
  public void close() throws IOException {
    check.cancel(false);
    source.close();
  }

  private void closeIfStalled() {
    if (!isWaiting || System.nanoTime() - since < limit.toNanos()) {
      return;
    }
    isTimedOut = true;
    check.cancel(false);
    try {
      source.close();
    } catch (IOException error) {
      // The reader gets the time limit as its error.
    }
  }

  private IOException timedOut(IOException cause) {
    return new IOException("no data within " + limit.toMillis() + " ms", cause);
  }
}
