import { addAbortListener } from 'node:events';

/**
 * Resolves or rejects as `work`; rejects with the signal's reason as soon as the signal is aborted. `work` itself goes on, and its
 * later result is ignored.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const listener = addAbortListener(signal, () => reject(signal.reason as Error));
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    signal.throwIfAborted(); // instead of an error of `work` that the abort has caused
    throw error;
  } finally {
    listener[Symbol.dispose]();
  }
}

/**
 * Calls `end` after `ms`, and once everything has been read that has arrived by then. After a pause of the process, timers run before
 * sockets are read: what has arrived in time would be lost.
 */
export const endAfter = (ms: number, end: () => void): NodeJS.Timeout => setTimeout(() => setImmediate(end), ms);

/**
 * Runs `work` with a signal that is aborted after `ms`, or with the outer `signal`. Rejects at that moment, whether `work` reacts
 * or not.
 * @throws `timedOut()`, the reason of the outer signal, or what `work` throws
 */
export async function withTimeout<T>(
  ms: number,
  timedOut: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const timer = endAfter(ms, () => limit.abort(timedOut()));
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    return await abortable(work(either), either);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` with a signal that is aborted `graceMs` after the given one, with its reason. */
export async function withGrace<T>(
  signal: AbortSignal,
  graceMs: number,
  work: (cut: AbortSignal) => Promise<T>,
): Promise<T> {
  const cut = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const listener = addAbortListener(signal, () => {
    timer = endAfter(graceMs, () => cut.abort(signal.reason));
  });
  try {
    return await work(cut.signal);
  } finally {
    listener[Symbol.dispose]();
    clearTimeout(timer);
  }
}
