import type { EnvironmentsMessages } from './messages/en';

/** `1 day`, `6 hours`, `15 minutes`: in the largest unit that is exact. */
export function intervalText(minutes: number, messages: EnvironmentsMessages): string {
  if (minutes % 1440 === 0) return messages.days(minutes / 1440);
  return minutes % 60 === 0 ? messages.hours(minutes / 60) : messages.minutes(minutes);
}
