import type { PushLimits } from './push-limits';

/**
 * Runs a job's turn: `turn` ends the taking of new work, when the time is up or the process shuts down; `cut`, a moment
 * after the shutdown began, ends what is still on its way.
 */
export async function runTimeSlice(
  signal: AbortSignal,
  limits: PushLimits,
  work: (turn: AbortSignal, cut: AbortSignal) => Promise<void>,
): Promise<void> {
  const cut = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const cutSoon = () => (grace = setTimeout(() => cut.abort(signal.reason), limits.shutdownGraceMs));
  signal.addEventListener('abort', cutSoon, { once: true });
  try {
    await work(AbortSignal.any([signal, AbortSignal.timeout(limits.timeSliceMs)]), cut.signal);
  } finally {
    signal.removeEventListener('abort', cutSoon);
    clearTimeout(grace);
  }
}
