const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of a duration such as `90s`, `10m`, `1h` or `7d`. The schema has checked its form. */
export function secondsOf(duration: string): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(duration)!;
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}
