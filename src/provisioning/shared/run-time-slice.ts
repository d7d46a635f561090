import { withGrace } from '../../platform/concurrency/cancellation';
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
  await withGrace(signal, limits.shutdownGraceMs, (cut) =>
    work(AbortSignal.any([signal, AbortSignal.timeout(limits.timeSliceMs)]), cut),
  );
}
