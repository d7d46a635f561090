/** Seconds before each attempt, counted from the one before (contract 6): about 72 hours, longer than a weekend. */
export const RETRY_SCHEDULE: readonly number[] = [
  0,
  30,
  2 * 60,
  10 * 60,
  30 * 60,
  3600,
  2 * 3600,
  4 * 3600,
  8 * 3600,
  12 * 3600,
  20 * 3600,
  24 * 3600,
];

/** No client can put us off for longer, in seconds. */
export const LONGEST_RETRY_AFTER = 24 * 3600;

/**
 * Seconds until the attempt after the given one (1 for the first), or null when that was the last. Each is stretched by up
 * to 10 % so that a client that comes back is not met by everything at once; a `Retry-After` of the client is respected.
 */
export function secondsUntilNext(
  attempt: number,
  retryAfterSeconds: number | null,
  random = Math.random(),
): number | null {
  const planned = RETRY_SCHEDULE[attempt];
  if (planned === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER);
  return Math.max(planned, asked) * (1 + 0.1 * random);
}
