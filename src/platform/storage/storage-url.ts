import type { AccessKeys } from './access-keys';
import type { BucketLocation } from './bucket-address';

/** The bucket of the deployment with its access keys. Without keys: those of the process's role or environment. */
export interface BucketSettings extends BucketLocation, Partial<AccessKeys> {
  /** The prefix of all object keys: empty, or ending with a slash. */
  readonly prefix: string;
}

const PARAMETERS = ['region', 'access_key', 'secret_key', 'endpoint', 'addressing'];
const SHAPE = 's3://bucket/prefix?region=…&access_key=…&secret_key=…, or without both keys';
const IS_BUCKET = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/;
/** Only characters that need no escaping in URLs, signatures and XML. */
const IS_PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const IS_ENDPOINT = /^https?:\/\/[^\s/@?#\\]+(?:\/[^\s?#\\]*)?$/i;

/**
 * Parses `STORAGE_URL` (decisions 8). Throws an `Error` whose message continues the setting's name and does not contain the value,
 * which includes a secret.
 */
export function parseStorageUrl(text: string): BucketSettings {
  // A plus sign is taken literally: it occurs in secrets, and does not mean a space here.
  const url = URL.canParse(text) ? new URL(text.replaceAll('+', '%2B')) : null;
  if (url?.protocol !== 's3:' || url.username !== '' || url.password !== '' || url.port !== '')
    throw new Error(`must look like ${SHAPE}`);
  const given = url.searchParams;
  const names = [...given.keys()];
  if (url.hash !== '' || names.some((name) => !PARAMETERS.includes(name)) || new Set(names).size < names.length) {
    throw new Error(`takes ${PARAMETERS.join(', ')}, each once; &, # and % in a value are written as %26, %23 and %25`);
  }
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  const endpoint = given.get('endpoint');
  return {
    bucket: check('bucket', url.hostname, IS_BUCKET),
    prefix: check('prefix', path === '' ? '' : `${path}/`, IS_PREFIX),
    region: check('region', given.get('region') ?? 'us-east-1', /^[A-Za-z0-9-]{1,64}$/),
    addressing: check('addressing (path or host)', given.get('addressing') ?? 'path', /^(?:path|host)$/),
    ...(endpoint !== null && { endpoint: check('endpoint', URL.canParse(endpoint) ? endpoint : '', IS_ENDPOINT) }),
    ...keysOf(given),
  };
}

/** Both keys, or none of them. */
function keysOf(given: URLSearchParams): Partial<AccessKeys> {
  const [accessKey, secretKey] = [given.get('access_key'), given.get('secret_key')];
  if (accessKey === null && secretKey === null) return {};
  if (!accessKey || !secretKey)
    throw new Error(`needs access_key and secret_key, or none of them: it must look like ${SHAPE}`);
  return { accessKey: check('access_key', accessKey, /^(?:(?![,/=])[!-~])+$/), secretKey };
}

function check(name: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value)) throw new Error(`does not name a usable ${name}`);
  return value;
}
