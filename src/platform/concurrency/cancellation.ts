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
  const timer = setTimeout(() => limit.abort(timedOut()), ms);
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
    timer = setTimeout(() => cut.abort(signal.reason), graceMs);
  });
  try {
    return await work(cut.signal);
  } finally {
    listener[Symbol.dispose]();
    clearTimeout(timer);
  }
}
