import type { Environment } from '../identities/environment.entity';

/** One interval after `from`: connections that came at different times stay spread. */
export function scheduledAfter(from: Date, environment: Pick<Environment, 'fetchIntervalMinutes'>): Date {
  return new Date(from.getTime() + environment.fetchIntervalMinutes * 60_000);
}
