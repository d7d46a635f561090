package com.example.docfetch;

import com.example.docfetch.api.Transaction;
import com.example.docfetch.api.TransactionPage;
import com.example.docfetch.api.TransactionsApi;
import com.example.docfetch.api.TransactionsApi.ListTransactionsOptions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The feed of documents, oldest first: {@code for (Feed.Page page : client.feed().from(cursor)) …}. An iteration waits for new
 * documents until its thread is interrupted. After an exception it has ended: continue from the last cursor that you saved.
 */
public final class Feed implements Iterable<Feed.Page> {
  private final TransactionsApi transactions;
  private String cursor;
  private Duration interval = Duration.ofSeconds(30);
  private boolean untilCaughtUp;
  private int limit = 100;

  Feed(TransactionsApi transactions) {
    this.transactions = transactions;
  }

  /** The cursor that you saved last. {@code null}: from the first document; {@code now}: only new documents. */
  public Feed from(String cursor) {
    this.cursor = cursor;
    return this;
  }

  /** The time between two requests at the end of the feed; the default is 30 seconds. */
  public Feed interval(Duration interval) {
    this.interval = interval;
    return this;
  }

  /** Ends at the end of the feed instead of waiting for new documents. */
  public Feed untilCaughtUp() {
    this.untilCaughtUp = true;
    return this;
  }

  /** The maximum number of documents on a page; the default is 100. */
  public Feed limit(int limit) {
    this.limit = limit;
    return this;
  }

  @Override
  public Iterator<Page> iterator() {
    return new Pages();
  }

  /** A page of the feed. It is empty if only the cursor has moved, for example at the start with {@code now}. */
  public static final class Page {
    private final List<Transaction> transactions;
    private final String cursor;

    Page(TransactionPage page) {
      this.transactions = page.getData();
      this.cursor = page.getMeta().getPollCursor();
    }

    public List<Transaction> getTransactions() {
      return transactions;
    }

    /**
     * Save it after you have stored the transactions, and continue from it: you then miss none. After a crash in between, the last
     * page comes again, with the same {@code transaction_uuid}.
     */
    public String getCursor() {
      return cursor;
    }
  }

  private final class Pages implements Iterator<Page> {
    private String position = cursor;
    private Page found;
    private boolean isAtEnd;

    @Override
    public boolean hasNext() {
      while (found == null) {
        if (isAtEnd && (untilCaughtUp || isInterruptedWhileWaiting())) {
          return false;
        }
        TransactionPage page =
            transactions.listTransactions(new ListTransactionsOptions().cursor(position).limit(limit));
        isAtEnd = !page.getMeta().getHasMore();
        if (!page.getMeta().getPollCursor().equals(position)) {
          found = new Page(page);
          position = found.cursor;
        }
      }
      return true;
    }

    @Override
    public Page next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Page page = found;
      found = null;
      return page;
    }

    private boolean isInterruptedWhileWaiting() {
      try {
        Thread.sleep(interval.toMillis());
        return false;
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }
}
