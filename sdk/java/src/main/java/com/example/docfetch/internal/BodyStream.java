package com.example.docfetch.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a response, read as it arrives. Every wait for data has a time limit and can be interrupted; the stream of {@code
 * java.net.http} has no limit, and ignores interruptions.
 */
final class BodyStream extends InputStream implements BodySubscriber<InputStream> {
  /** Compared by identity. */
  private static final List<ByteBuffer> END = new ArrayList<>();

  private final Duration limit;
  /** At most what was requested, which is one element, and the end. */
  private final BlockingQueue<List<ByteBuffer>> received = new LinkedBlockingQueue<>();
  private volatile Subscription subscription;
  private volatile Throwable failure;
  private volatile boolean isClosed;
  private Iterator<ByteBuffer> buffers = Collections.emptyIterator();
  private ByteBuffer current = ByteBuffer.allocate(0);
  private boolean isAtEnd;

  BodyStream(Duration limit) {
    this.limit = limit;
  }

  @Override
  public CompletionStage<InputStream> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    if (isClosed) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> item) {
    received.add(item);
  }

  @Override
  public void onError(Throwable error) {
    failure = error;
    received.add(END);
  }

  @Override
  public void onComplete() {
    received.add(END);
  }

  @Override
  public int read() throws IOException {
    return isReadable() ? current.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (!isReadable()) {
      return -1;
    }
    int count = Math.min(length, current.remaining());
    current.get(into, offset, count);
    return count;
  }

  @Override
  public int available() {
    return current.remaining();
  }

  /** Ends the response; a read that waits in another thread fails. */
  @Override
  public void close() {
    isClosed = true;
    if (subscription != null) {
      subscription.cancel();
    }
    received.add(END);
  }

  /** Waits until there are bytes in {@code current}. False at the end of the body. */
  private boolean isReadable() throws IOException {
    while (!isClosed && !current.hasRemaining() && !isAtEnd) {
      if (buffers.hasNext()) {
        current = buffers.next();
        continue;
      }
      List<ByteBuffer> next = await();
      isAtEnd = next == END;
      if (!isAtEnd) {
        buffers = next.iterator();
        subscription.request(1);
      }
    }
    if (isClosed) {
      throw new IOException("the response is closed");
    }
    if (isAtEnd && failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return !isAtEnd;
  }

  private List<ByteBuffer> await() throws IOException {
    try {
      List<ByteBuffer> next = received.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (next != null) {
        return next;
      }
    } catch (InterruptedException error) {
      close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    close();
    throw new IOException("no data within " + limit.toMillis() + " ms");
  }
}
