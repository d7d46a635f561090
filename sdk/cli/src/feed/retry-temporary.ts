import { setTimeout as pause } from 'node:timers/promises';
import { DocfetchConnectionError, DocfetchError } from '../../../typescript/dist/index.js';

export interface RetryOptions {
  /** The first pause. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Called once when the service stops answering, and when it answers again. */
  readonly onInterrupted?: () => void;
  readonly onResumed?: () => void;
}

const MAX_PAUSE_MS = 15_000;

/** Repeats a request until the service answers it. @throws DocfetchError when the service refuses it */
export async function retryTemporary<T>(
  request: () => Promise<T>,
  { intervalMs, signal, onInterrupted, onResumed }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const answer = await request();
      if (failures > 0) onResumed?.();
      return answer;
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      if (failures++ === 0) onInterrupted?.();
      await pauseUnlessStopped(retryPause(error, failures, intervalMs), signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Whether the same request may succeed later: no answer, an error of the service or of a proxy, or a limit. */
function isTemporary(error: unknown): boolean {
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
