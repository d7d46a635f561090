import type { BucketLocation } from './bucket-address';
import type { AccessKeys } from './sign-request';

/** The bucket of the deployment with its access keys. */
export interface BucketSettings extends BucketLocation, AccessKeys {
  /** The prefix of all object keys: empty, or ending with a slash. */
  readonly prefix: string;
}

const PARAMETERS = ['region', 'access_key', 'secret_key', 'endpoint', 'addressing'];
const SHAPE = 's3://bucket/prefix?region=…&access_key=…&secret_key=…';
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
  const need = (name: string): string => {
    const value = given.get(name);
    if (!value) throw new Error(`needs ${name}: it must look like ${SHAPE}`);
    return value;
  };
  const check = (name: string, value: string, pattern: RegExp): string => {
    if (!pattern.test(value)) throw new Error(`does not name a usable ${name}`);
    return value;
  };
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  const endpoint = given.get('endpoint');
  return {
    bucket: check('bucket', url.hostname, IS_BUCKET),
    prefix: check('prefix', path === '' ? '' : `${path}/`, IS_PREFIX),
    region: check('region', given.get('region') ?? 'us-east-1', /^[A-Za-z0-9-]{1,64}$/),
    addressing: check('addressing (path or host)', given.get('addressing') ?? 'path', /^(?:path|host)$/),
    ...(endpoint !== null && { endpoint: check('endpoint', URL.canParse(endpoint) ? endpoint : '', IS_ENDPOINT) }),
    accessKey: check('access_key', need('access_key'), /^(?:(?![,/=])[!-~])+$/),
    secretKey: need('secret_key'),
  };
}
