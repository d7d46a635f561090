import { validate as isUuid } from 'uuid';
import { parseOrigin, parseSecureOrigin } from '../../identities/environments/origins';
import { isPlainText } from '../../platform/errors/plain-text';
import { parseIpRange } from '../../platform/network/addresses/ip-ranges';
import { MIB } from './environment-view';
import { UsageError } from './usage-error';

/** Reads the value of an option or an argument. @throws UsageError that begins with its name */
export type Parse<T> = (value: string) => T;

/** For an option that may be repeated. */
export const each =
  <T>(parse: Parse<T>) =>
  (value: string, former: readonly T[] = []): T[] => [...former, parse(value)];

export const uuid =
  (what: string): Parse<string> =>
  (value) => {
    if (!isUuid(value)) throw new UsageError(`${what} must be a UUID, not "${value}".`);
    return value.toLowerCase();
  };

/** A text that the database can store. */
export const text =
  (option: string): Parse<string> =>
  (value) => {
    if (value.trim() === '' || !isPlainText(value)) throw new UsageError(`${option} must not be empty.`);
    return value;
  };

/** A whole number in a range. */
export const whole =
  (option: string, min: number, max: number): Parse<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${value}".`);
    }
    return number;
  };

/** decisions 6: the largest document that is pushed, in bytes, given in MiB. */
export const pushLimit: Parse<number> = (value) => whole('--push-limit', 1, 1024)(value) * MIB;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as `15m`, in seconds. */
export const duration =
  (option: string, maxSeconds: number): Parse<number> =>
  (value) => {
    const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
    const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? NaN);
    if (!(seconds >= 1 && seconds <= maxSeconds)) {
      throw new UsageError(
        `${option} must be a duration like 15m, 2h or 1d, at most ${maxSeconds / 3600}h, not "${value}".`,
      );
    }
    return seconds;
  };

/** A point in time. */
export const datetime =
  (option: string): Parse<Date> =>
  (value) => {
    const date = new Date(value);
    if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(date.getTime())) {
      throw new UsageError(`${option} must be a datetime like 2027-01-01T00:00:00Z.`);
    }
    return date;
  };

/** One of a few values. */
export const oneOf =
  <Value extends string>(option: string, values: readonly Value[]): Parse<Value> =>
  (value) => {
    const found = values.find((known) => known === value);
    if (found === undefined) throw new UsageError(`${option} must be one of ${values.join(', ')}, not "${value}".`);
    return found;
  };

/** One of a few values of the API, which are given in small letters: `live` for `LIVE`. */
export const constant = <Value extends string>(option: string, values: readonly Value[]): Parse<Value> => {
  const named = new Map(values.map((value) => [value.toLowerCase(), value]));
  return (value) => named.get(oneOf(option, [...named.keys()])(value))!;
};

/** `on` or `off`. */
export const onOff =
  (option: string): Parse<boolean> =>
  (value) =>
    oneOf(option, ['on', 'off'])(value) === 'on';

/** An IP address or a network. */
export const ipRange =
  (option: string): Parse<string> =>
  (value) => {
    const range = parseIpRange(value);
    if (range === null) {
      throw new UsageError(`${option} must be an IP address or a network like 203.0.113.0/24, not "${value}".`);
    }
    return range;
  };

/** An origin, such as a `return_url` may have. */
export const origin =
  (option: string): Parse<string> =>
  (value) => {
    const parsed = parseOrigin(value);
    if (parsed === null)
      throw new UsageError(`${option} must be an origin like https://app.example.com, not "${value}".`);
    return parsed;
  };

/** An origin that cannot be spoofed on the network: https, or http on this machine. */
export const secureOrigin =
  (option: string): Parse<string> =>
  (value) => {
    const parsed = parseSecureOrigin(origin(option)(value));
    if (parsed === null) {
      throw new UsageError(`${option} must be one https origin (http only for localhost), not "${value}".`);
    }
    return parsed;
  };
