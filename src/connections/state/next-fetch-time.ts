import type { Environment } from '../../identities/environments/environment.entity';
import type { Connection } from './connection.entity';

/** Number of fixed times within an interval. */
const SLOTS = 2 ** 24;

/**
 * When a connection is due next after `from`. Its uuid gives each connection a fixed time within its client's interval
 * ("at 04:17:31 every day"), so that connections which were created or became overdue together are spread out. The next date
 * is the first fixed time at least half an interval ahead; if that is more than an interval ahead, it is halfway there.
 * Two consecutive dates are therefore between half an interval and one interval apart, and a connection keeps its fixed time
 * from the second date on, or from the third if a fetch that started slightly late just misses half an interval.
 */
export function nextFetchTime(
  { uuid }: Pick<Connection, 'uuid'>,
  from: Date,
  { fetchIntervalMinutes }: Pick<Environment, 'fetchIntervalMinutes'>,
): Date {
  const interval = fetchIntervalMinutes * 60_000;
  const slot = parseInt(uuid.slice(-6), 16);
  const offset = Math.floor((slot * fetchIntervalMinutes * 60) / SLOTS) * 1000;
  const start = from.getTime();
  const next = offset + Math.ceil((start + interval / 2 - offset) / interval) * interval;
  return new Date(next - start > interval ? start + Math.floor((next - start) / 2) : next);
}
