import { statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { parse } from 'pg-connection-string';

/** Parsers for the values of settings. A parser throws an `Error` whose message continues the setting's name. */

export const text = (value: string): string => value;

/** The absolute path of a folder that exists. */
export function folder(value: string): string {
  const path = resolve(value);
  try {
    if (statSync(path).isDirectory()) return path;
  } catch {
    // The same as a file.
  }
  throw new Error(`must be a folder that exists, not "${value}"`);
}

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`);
    }
    return number;
  };

export const port = integer(0, 65_535);

export const oneOf =
  <const T extends readonly string[]>(choices: T) =>
  (value: string): T[number] => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`);
    return value;
  };

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The delay before each attempt, `0s,30s,2m,…`, in seconds. Delays increase, so that an unavailable endpoint is not flooded. */
export function retrySchedule(value: string): number[] {
  const waits = value.split(',').map((part) => {
    const [, number, unit] = /^\s*(\d{1,6})([smhd])\s*$/.exec(part) ?? [];
    if (!unit) throw new Error(`must be a list of times like 0s,30s,2m,1h, not "${part.trim()}"`);
    return Number(number) * SECONDS_OF[unit]!;
  });
  if (waits[0] !== 0) throw new Error('must begin with 0s: the first attempt is made at once');
  if (waits.length > 50) throw new Error('must have 50 times at most');
  if (waits.some((wait, index) => index > 0 && wait <= waits[index - 1]!))
    throw new Error('must grow from time to time');
  if (waits.some((wait) => wait > 7 * 86_400)) throw new Error('must not have a time of more than 7 days');
  return waits;
}

/** The token after `Bearer ` in a header. The error text does not contain the value. */
export function bearer(value: string): string {
  if (!/^[A-Za-z0-9._~+/-]{32,256}=*$/.test(value)) {
    throw new Error('must be 32 to 256 letters, digits or -._~+/ (make one with: openssl rand -hex 32)');
  }
  return value;
}

/** An absolute http(s) address without a path; a trailing slash is dropped. */
export function origin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Error(`must be an absolute http or https address, not "${value}"`);
  }
  return url.href.replace(/\/+$/, '');
}

/** The address of a provider's API, or `imaps://host:port` for mailboxes that users authorize. */
export function apiAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'imaps:') return origin(value);
  const isServerOnly = url.hostname !== '' && !url.username && !url.search && !url.hash && url.pathname.length < 2;
  if (!isServerOnly) throw new Error(`must be like imaps://imap.example.com:993, not "${value}"`);
  return `imaps://${url.host}`;
}

/** The error text does not contain the value, which includes a password. */
export function postgresUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new Error('must look like postgres://user:password@host:5432/database');
  }
  try {
    parse(value); // reads the files of sslrootcert, sslcert and sslkey
  } catch (error) {
    throw new Error(`cannot be used: ${(error as Error).message}`, { cause: error });
  }
  return value;
}

export function cidrs(value: string): string[] {
  return value.split(',').map((part) => {
    const cidr = part.trim();
    const [address = '', prefix = ''] = cidr.split('/');
    const family = isIP(address);
    if (!family || !/^\d+$/.test(prefix)) throw new Error(`must be a list of networks like 10.0.0.0/8, not "${cidr}"`);
    new BlockList().addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
    return cidr;
  });
}

/** The number of trusted proxies in front of the service, or their networks. */
export function proxies(value: string): number | string[] {
  if (/^\d$/.test(value)) return Number(value);
  try {
    return cidrs(value);
  } catch {
    throw new Error(`must be a number of proxies from 0 to 9, or a list of networks like 10.0.0.0/8, not "${value}"`);
  }
}

/** A domain name in lower case, without a trailing dot. */
export function mailDomain(value: string): string {
  const domain = value.toLowerCase().replace(/\.$/, '');
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!isDomain || domain.length > 190 || /^\d+$/.test(labels.at(-1)!)) {
    throw new Error(`must be a domain name, not "${value}"`);
  }
  return domain;
}
