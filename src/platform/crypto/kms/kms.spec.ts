import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isUnavailable } from '../../availability/storage-unavailable';
import type { KmsKey } from '../../config/master-key';
import { decrypt, encrypt } from '../cipher';
import { GoogleKms } from './google-kms';
import { reasonOf } from './json-request';
import type { Kms } from './kms';
import { VaultTransit } from './vault-transit';

interface Answer {
  readonly status: number;
  readonly body: object;
}
type Body = Readonly<Record<string, string>>;

const MASTER = randomBytes(32);
const RING = 'projects/p1/locations/eu/keyRings/r1';
const GOOGLE_KEY: KmsKey = { id: 'g1', kms: 'gcpkms', resource: `${RING}/cryptoKeys/docfetch` };
const VAULT_KEY: KmsKey = { id: 'v1', kms: 'vault', resource: 'transit/docfetch' };
const base64 = (bytes: Buffer) => bytes.toString('base64');
const bytesOf = (value: string | undefined) => Buffer.from(value ?? '', 'base64');

/** Answers as the reference of Cloud KMS describes `cryptoKeys.encrypt` and `decrypt` (REST, v1). */
function google({ url, headers }: IncomingMessage, body: Body): Answer {
  if (headers.authorization !== 'Bearer access-token')
    return { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } };
  const [name, verb] = url!.slice('/v1/'.length).split(':');
  if (name !== GOOGLE_KEY.resource) return { status: 403, body: { error: { status: 'PERMISSION_DENIED' } } };
  const context = bytesOf(body.additionalAuthenticatedData).toString();
  if (verb === 'encrypt') {
    const ciphertext = base64(encrypt(MASTER, bytesOf(body.plaintext), context));
    return { status: 200, body: { name: `${name}/cryptoKeyVersions/1`, ciphertext } };
  }
  try {
    return {
      status: 200,
      body: { plaintext: base64(decrypt(MASTER, bytesOf(body.ciphertext), context)), usedPrimary: true },
    };
  } catch {
    return { status: 400, body: { error: { code: 400, message: 'Decryption failed.', status: 'INVALID_ARGUMENT' } } };
  }
}

/** Answers as the documentation of Vault's transit engine and of its auth method for Kubernetes describes. */
function vault({ url, headers }: IncomingMessage, body: Body): Answer {
  if (url === '/v1/auth/kubernetes/login') {
    if (body.role !== 'docfetch' || body.jwt !== 'service-account') return { status: 403, body: { errors: [] } };
    return { status: 200, body: { auth: { client_token: currentToken, lease_duration: 3600, renewable: true } } };
  }
  if (headers['x-vault-token'] !== currentToken || headers['x-vault-namespace'] !== 'team') {
    return { status: 403, body: { errors: ['permission denied'] } };
  }
  const context = bytesOf(body.associated_data).toString();
  if (url === '/v1/transit/encrypt/docfetch') {
    const ciphertext = `vault:v1:${base64(encrypt(MASTER, bytesOf(body.plaintext), context))}`;
    return { status: 200, body: { data: { ciphertext, key_version: 1 } } };
  }
  if (url !== '/v1/transit/decrypt/docfetch') return { status: 404, body: { errors: [] } };
  try {
    const ciphertext = bytesOf(body.ciphertext!.replace(/^vault:v1:/, ''));
    return { status: 200, body: { data: { plaintext: base64(decrypt(MASTER, ciphertext, context)) } } };
  } catch {
    return { status: 400, body: { errors: ['cipher: message authentication failed'] } };
  }
}
let currentToken = 'vault-token';

describe.each(['Google Cloud KMS', 'Vault with a token', 'Vault in Kubernetes'])('%s', (name) => {
  let server: Server;
  let faults: Answer[];
  let requests: { url: string; body: string }[];
  let kms: Kms;
  const dataKey = randomBytes(32);
  let folder: string;
  let serviceAccount: string;

  const open = (address: string, key = name.startsWith('Google') ? GOOGLE_KEY : VAULT_KEY): Kms => {
    if (key.kms === 'gcpkms')
      return new GoogleKms(key, () => Promise.resolve(() => Promise.resolve('access-token')), address);
    const role = name.endsWith('Kubernetes') ? 'docfetch' : null;
    const vaultToken = role ? null : currentToken;
    const settings = { vaultAddress: address, vaultToken, vaultNamespace: 'team', vaultKubernetesRole: role };
    return new VaultTransit(key, settings, serviceAccount);
  };
  const addressOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failure = async (work: Promise<unknown>) =>
    (await work.catch((error: unknown) => error)) as Error & { isTransient?: boolean };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kms-'));
    serviceAccount = join(folder, 'service-account');
    writeFileSync(serviceAccount, 'service-account\n');
    server = createServer((request, response) => {
      void text(request).then((sent) => {
        requests.push({ url: request.url!, body: sent });
        const body = JSON.parse(sent) as Body;
        const answer = faults.shift() ?? (name.startsWith('Google') ? google(request, body) : vault(request, body));
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    [faults, requests, currentToken] = [[], [], 'vault-token'];
    kms = open(addressOf());
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('wraps a data key and unwraps it with the same context only', async () => {
    const wrapped = await kms.wrap(dataKey, 'data-key:1');
    expect(wrapped.includes(dataKey)).toBe(false);
    expect(await open(addressOf()).unwrap(wrapped, 'data-key:1')).toEqual(dataKey);
    const wrong = await failure(kms.unwrap(wrapped, 'data-key:2'));
    expect(wrong.message).toContain('has not wrapped this data key');
    expect(isUnavailable(wrong)).toBe(false);
    expect(requests.at(-1)!.url).toMatch(/:decrypt$|\/decrypt\//);
  });

  it('repeats requests that failed for the moment', async () => {
    await kms.wrap(dataKey, 'data-key:1');
    faults = [
      { status: 503, body: {} },
      { status: 429, body: {} },
    ];
    expect(await kms.unwrap(await open(addressOf()).wrap(dataKey, 'c'), 'c')).toEqual(dataKey);
  });

  it('is unavailable for the moment when it fails repeatedly or cannot be reached', async () => {
    faults = [500, 502, 503].map((status) => ({ status, body: {} }));
    const failed = await failure(kms.wrap(dataKey, 'c'));
    expect([isUnavailable(failed), failed.isTransient]).toEqual([true, true]);
    const away = await failure(open('http://127.0.0.1:1').unwrap(Buffer.from('x'), 'c'));
    expect([isUnavailable(away), away.isTransient]).toEqual([true, true]);
    expect(away.message).toMatch(/^the key "[gv]1" of ENCRYPTION_KEYS cannot be used: .*ECONNREFUSED/);
    expect(away.message + JSON.stringify(away)).not.toMatch(/token|service-account/);
  });

  it('is unavailable until something is changed when it refuses', async () => {
    const resource = name.startsWith('Google') ? `${RING}/cryptoKeys/other` : 'transit/other';
    const key = { ...(name.startsWith('Google') ? GOOGLE_KEY : VAULT_KEY), resource };
    const refused = await failure(open(addressOf(), key).wrap(dataKey, 'c'));
    expect([isUnavailable(refused), refused.isTransient]).toEqual([true, false]);
    expect(refused.message).not.toContain(base64(dataKey));
  });

  it('never takes something else for an answer', async () => {
    await kms.wrap(dataKey, 'c'); // signs in
    const works = [() => kms.unwrap(Buffer.from('vault:v1:AAAA'), 'c'), () => kms.wrap(dataKey, 'c')];
    for (const body of [{ data: null, plaintext: 7, ciphertext: 7 }, { data: {} }, []]) {
      for (const work of works) {
        faults = [{ status: 200, body }];
        const failed = await failure(work());
        expect([body, isUnavailable(failed), failed.isTransient]).toEqual([body, true, true]);
      }
    }
  });

  if (name.endsWith('Kubernetes')) {
    it('signs in once, and again when its token has been revoked', async () => {
      await kms.wrap(dataKey, 'c');
      await kms.wrap(dataKey, 'c');
      expect(requests.filter(({ url }) => url.endsWith('/login'))).toHaveLength(1);
      currentToken = 'another-token';
      await kms.wrap(dataKey, 'c');
      expect(requests.filter(({ url }) => url.endsWith('/login'))).toHaveLength(2);
    });
  }
});

it.each([
  [new DOMException('late', 'TimeoutError'), 'TimeoutError'],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('Could not load the default credentials.'), 'Could not load the default credentials.'],
])('the reason of %s is %s', (error, reason) => expect(reasonOf(error)).toBe(reason));
