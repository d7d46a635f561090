import { pauseUnlessStopped, type RetryOptions, retryTemporary } from './retry-temporary';

/** A page of a feed: documents or events, oldest first. */
export interface FeedPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly has_more: boolean; readonly poll_cursor: string };
}

export interface FollowOptions extends RetryOptions {
  /** Where to begin; absent: at the first item. */
  readonly cursor?: string;
  /** Without it, ends at the end of the feed and at the first error. */
  readonly follow: boolean;
}

export interface FollowedPage<Item> {
  readonly items: readonly Item[];
  /** Continue here to get every later item. */
  readonly cursor: string;
}

/**
 * Follows a feed, also while the service restarts. The first page and every page with items or another position are yielded.
 * @throws DocfetchError when the service refuses the request
 */
export async function* followFeed<Item>(
  load: (cursor: string | undefined) => Promise<FeedPage<Item>>,
  options: FollowOptions,
): AsyncGenerator<FollowedPage<Item>, void, undefined> {
  const { intervalMs, follow, signal } = options;
  let { cursor } = options;
  let first = true;
  while (!signal.aborted) {
    let page: FeedPage<Item>;
    try {
      const request = () => load(cursor);
      page = follow ? await retryTemporary(request, options) : await request();
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    const next = page.meta.poll_cursor;
    if (first || next !== cursor) yield { items: page.data, cursor: next };
    [first, cursor] = [false, next];
    if (page.meta.has_more) continue;
    if (!follow) return;
    await pauseUnlessStopped(intervalMs, signal);
  }
}
