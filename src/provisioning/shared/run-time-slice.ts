import type { PushLimits } from './push-limits';

/**
 * Runs a job for one time slice. `timeSlice` is aborted when the slice ends or the process shuts down: no new work
 * starts then. `cut` is aborted a grace period after the shutdown began and ends requests in flight.
 */
export async function runTimeSlice(
  signal: AbortSignal,
  limits: PushLimits,
  work: (timeSlice: AbortSignal, cut: AbortSignal) => Promise<void>,
): Promise<void> {
  const cut = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const cutAfterGrace = () => (grace = setTimeout(() => cut.abort(signal.reason), limits.shutdownGraceMs));
  signal.addEventListener('abort', cutAfterGrace, { once: true });
  try {
    await work(AbortSignal.any([signal, AbortSignal.timeout(limits.timeSliceMs)]), cut.signal);
  } finally {
    signal.removeEventListener('abort', cutAfterGrace);
    clearTimeout(grace);
  }
}
