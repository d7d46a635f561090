package com.example.docfetch;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The items of all pages of a list. Pages are requested as needed, one at a time; each iteration begins at the first page.
 *
 * <pre>{@code
 * for (Identity identity : client.identities().listIdentitiesPaginator()) { … }
 * }</pre>
 */
public final class Paginator<T> implements Iterable<T> {
  private final String first;
  private final Function<String, Page<T>> list;

  /** For the generated code: {@code list} returns the page at a cursor, which is {@code null} for the first one. */
  public Paginator(String first, Function<String, Page<T>> list) {
    this.first = first;
    this.list = list;
  }

  @Override
  public Iterator<T> iterator() {
    return new Items();
  }

  /** The same items as a sequential stream. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  /** The items of one page. */
  public static final class Page<T> {
    private final List<T> items;
    private final String next;

    /** {@code next} is {@code null} on the last page. */
    public Page(List<T> items, String next) {
      this.items = items;
      this.next = next;
    }
  }

  private final class Items implements Iterator<T> {
    private Iterator<T> items = Collections.emptyIterator();
    private String cursor = first;
    private boolean isLast;

    @Override
    public boolean hasNext() {
      while (!items.hasNext() && !isLast) {
        Page<T> page = list.apply(cursor);
        items = page.items.iterator();
        cursor = page.next;
        isLast = cursor == null;
      }
      return items.hasNext();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return items.next();
    }
  }
}
