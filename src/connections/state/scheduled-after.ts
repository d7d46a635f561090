import type { Environment } from '../../identities/environments/environment.entity';
import type { Connection } from './connection.entity';

/** Own times come in so many places within an interval. */
const PLACES = 2 ** 24;

/**
 * When a connection is due next, counted from `from`. Each has a time of its own within its client's interval, that its uuid
 * decides ("at 04:17:31 every day"), so that connections which came together, or were overdue together, do not stay
 * together. The next date is the first own time that is at least half an interval away; where that is more than an
 * interval away, it is halfway there. So two dates lie between half an interval and one apart, and from the second date on
 * a connection keeps to its own time; from the third, where a fetch that came a moment late just misses half an interval.
 *
 * The function `next_fetch_time` says the same in SQL.
 */
export function scheduledAfter(
  { uuid }: Pick<Connection, 'uuid'>,
  from: Date,
  { fetchIntervalMinutes }: Pick<Environment, 'fetchIntervalMinutes'>,
): Date {
  const interval = fetchIntervalMinutes * 60_000;
  const place = parseInt(uuid.slice(-6), 16);
  const own = Math.floor((place * fetchIntervalMinutes * 60) / PLACES) * 1000;
  const since = from.getTime();
  const at = own + Math.ceil((since + interval / 2 - own) / interval) * interval;
  return new Date(at - since > interval ? since + Math.floor((at - since) / 2) : at);
}
