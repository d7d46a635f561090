import { setTimeout as pause } from 'node:timers/promises';
import { DocfetchConnectionError, DocfetchError } from '../../../typescript/dist/index.js';

/** A page of a feed: documents or events, oldest first. */
export interface FeedPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly has_more: boolean; readonly poll_cursor: string };
}

export interface FollowOptions {
  /** Where to begin; absent: at the first item. */
  readonly cursor?: string;
  readonly intervalMs: number;
  /** Without it, ends at the end of the feed and at the first error. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Called once when the service stops answering, and when it answers again. */
  readonly onInterrupted?: (error: unknown) => void;
  readonly onResumed?: () => void;
}

export interface FollowedPage<Item> {
  readonly items: readonly Item[];
  /** Continue here to get every later item exactly once. */
  readonly cursor: string;
}

const MAX_PAUSE_MS = 15_000;

/**
 * Follows a feed, also while the service restarts. The first page and every page with items or another position are yielded.
 * @throws DocfetchError when the service refuses the request
 */
export async function* followFeed<Item>(
  load: (cursor: string | undefined) => Promise<FeedPage<Item>>,
  { intervalMs, follow, signal, ...options }: FollowOptions,
): AsyncGenerator<FollowedPage<Item>, void, undefined> {
  let { cursor } = options;
  let first = true;
  let failures = 0;
  while (!signal.aborted) {
    let page: FeedPage<Item>;
    try {
      page = await load(cursor);
    } catch (error) {
      if (signal.aborted) return;
      if (!follow || !isTemporary(error)) throw error;
      if (failures++ === 0) options.onInterrupted?.(error);
      await pauseUnlessStopped(retryPause(error, failures, intervalMs), signal);
      continue;
    }
    if (failures > 0) options.onResumed?.();
    failures = 0;
    const next = page.meta.poll_cursor;
    if (first || next !== cursor) yield { items: page.data, cursor: next };
    [first, cursor] = [false, next];
    if (page.meta.has_more) continue;
    if (!follow) return;
    await pauseUnlessStopped(intervalMs, signal);
  }
}

/** Whether the same request may succeed later: no answer, an error of the service or of a proxy, or a limit. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof DocfetchConnectionError) return true;
  return error instanceof DocfetchError && (error.status >= 500 || error.status === 429);
}

/** Twice as long with each failure, and at least as long as the service asks for. */
export function retryPause(error: unknown, failures: number, firstMs: number): number {
  const asked = error instanceof DocfetchError && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
  return Math.max(asked, Math.min(MAX_PAUSE_MS, firstMs * 2 ** Math.min(failures - 1, 10)));
}

/** Returns early when the signal is aborted. */
export async function pauseUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
