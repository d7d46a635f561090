// Verifies the address under which a user comes back from the hosted UI. Node 20 or newer, no dependencies: copy the function.
//
//   SECRET='whsec_…' node verify-return-url.mjs 'https://app.example.com/back?result=…&sig=…'
//
// SECRET  the signing secret of your environment; while it is rotated both, separated by a comma
import { createHmac, timingSafeEqual } from 'node:crypto';
import { pathToFileURL } from 'node:url';

/** An address that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const PARAMETERS = [
  'result',
  'action',
  'identity_uuid',
  'connection_uuid',
  'integration_id',
  'status',
  'state',
  'ts',
  'nonce',
];

/**
 * Returns the parameters of the address; throws when the signature does not prove them. `url` is the whole address that the
 * browser requested, with the public scheme and host of your server.
 */
export function verifyReturnUrl(url, secrets, { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS } = {}) {
  const address = url.split('#')[0];
  const [signed, signature, ...more] = address.split('&sig=');
  const query = new URL(address).searchParams;
  if (more.length > 0 || query.getAll('sig').length !== 1 || !/^[\w-]{43}$/.test(signature ?? '')) {
    throw new Error('The address is not signed, or something was added to it.');
  }
  const matching = [secrets].flat().filter((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    if (key.length === 0) throw new TypeError('The signing secret is empty.');
    const expected = createHmac('sha256', key).update(`v1.${signed}`).digest('base64url');
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
  });
  if (matching.length === 0) throw new Error('The signature does not match.');
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) throw new Error('A parameter is repeated.');
  const age = now.getTime() / 1000 - Number(query.get('ts') || NaN);
  if (!(Math.abs(age) <= toleranceSeconds)) throw new Error('The address is too old, or the clocks differ.');
  return Object.fromEntries(PARAMETERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const secrets = (process.env.SECRET ?? '').split(',');
    console.log(JSON.stringify(verifyReturnUrl(process.argv[2] ?? '', secrets)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
