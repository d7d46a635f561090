import { parseOrigin, parseSecureOrigin } from '../../identities/environments/origins';
import { isPlainText } from '../../platform/errors/plain-text';
import { parseIpRange } from '../../platform/network/addresses/ip-ranges';
import { MIB } from './environment-view';
import { UsageError } from './print';

/** A text that the database can store. @throws UsageError */
export function text(option: string, value: string): string {
  if (value.trim() === '' || !isPlainText(value)) throw new UsageError(`${option} must not be empty.`);
  return value;
}

/** A whole number in a range. @throws UsageError */
export function whole(option: string, value: string, min: number, max: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

/** decisions 6: the largest document that is pushed, in bytes, given in MiB. @throws UsageError */
export const pushLimit = (value: string): number => whole('--push-limit', value, 1, 1024) * MIB;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as `15m`, in seconds. @throws UsageError */
export function duration(option: string, value: string, maxSeconds: number): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? NaN);
  if (!(seconds >= 1 && seconds <= maxSeconds)) {
    throw new UsageError(
      `${option} must be a duration like 15m, 2h or 1d, at most ${maxSeconds / 3600}h, not "${value}".`,
    );
  }
  return seconds;
}

/** A point in time. @throws UsageError */
export function datetime(option: string, value: string): Date {
  const date = new Date(value);
  if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(date.getTime())) {
    throw new UsageError(`${option} must be a datetime like 2027-01-01T00:00:00Z.`);
  }
  return date;
}

/** One of a few values. @throws UsageError */
export function oneOf<Value extends string>(option: string, values: readonly Value[], value: string): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new UsageError(`${option} must be one of ${values.join(', ')}, not "${value}".`);
  return found;
}

/** An IP address or a network. @throws UsageError */
export function ipRange(option: string, value: string): string {
  const range = parseIpRange(value);
  if (range === null) {
    throw new UsageError(`${option} must be an IP address or a network like 203.0.113.0/24, not "${value}".`);
  }
  return range;
}

/** An origin, such as a `return_url` may have. @throws UsageError */
export function origin(option: string, value: string): string {
  const parsed = parseOrigin(value);
  if (parsed === null)
    throw new UsageError(`${option} must be an origin like https://app.example.com, not "${value}".`);
  return parsed;
}

/** An origin that cannot be spoofed on the network: https, or http on this machine. @throws UsageError */
export function secureOrigin(option: string, value: string): string {
  const parsed = parseSecureOrigin(origin(option, value));
  if (parsed === null) {
    throw new UsageError(`${option} must be one https origin (http only for localhost), not "${value}".`);
  }
  return parsed;
}
