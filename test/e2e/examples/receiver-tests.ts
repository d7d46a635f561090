import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../harness/eventually';
import { spawnExample } from './example-process';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

const TOO_MANY_BYTES = 100 * 1024 * 1024 + 1;

interface Push {
  readonly uuid?: string;
  readonly filename?: string;
  readonly secret?: string;
  readonly signedAt?: Date;
  readonly authorization?: string;
  /** The body that replaces the signed one. */
  readonly altered?: (body: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

const isRefused = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED',
  );

/** What every receiver of `docs/examples` does with pushes, in whatever language. */
export function describeReceiver(script: string): void {
  describe(`docs/examples/${script}`, () => receiverTests(script));
}

function receiverTests(script: string): void {
  let folder: string;
  let receiver: ReturnType<typeof spawnExample>;
  /** All receivers of a test: closed when their own children, which may still write, have ended too. */
  const started: { readonly process: ReturnType<typeof spawnExample>; readonly closed: Promise<unknown> }[] = [];
  let lines: AsyncIterator<string>;
  let url: string;

  /** Starts the receiver; returns its output before it listens. */
  async function start(env: Record<string, string> = {}): Promise<string[]> {
    receiver = spawnExample(script, { SECRET, TOKEN: 'token', FOLDER: folder, ...env });
    started.push({ process: receiver, closed: once(receiver, 'close') });
    const reader: Interface = createInterface(receiver.stdout);
    lines = reader[Symbol.asyncIterator]();
    const before: string[] = [];
    for (;;) {
      const line = await nextLine();
      url = /^Listening on (\S+)$/.exec(line)?.[1] ?? '';
      if (url) return before;
      before.push(line);
    }
  }

  async function nextLine(): Promise<string> {
    const { value, done } = (await lines.next()) as { value: string; done: boolean };
    if (done) throw new Error('The receiver has ended');
    return value;
  }

  function signedPush(given: Push = {}): { body: string; headers: Record<string, string> } {
    const { uuid = UUID, filename = 'März.pdf', secret = SECRET, signedAt = new Date() } = given;
    const body = JSON.stringify({
      client_identifier: 'customer-1',
      identity_uuid: UUID,
      connection_uuid: UUID,
      transaction_uuid: uuid,
      document_type: 'invoice',
      external_id: null,
      document: { base64: Buffer.from('content').toString('base64'), filename, mime_type: 'application/pdf' },
      metadata: {},
    });
    const headers = {
      authorization: given.authorization ?? 'Bearer token',
      'webhook-id': uuid,
      'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
      // Signed by the reference library, not by our code.
      'webhook-signature': new Webhook(secret).sign(uuid, signedAt, body),
      ...given.headers,
    };
    return { body, headers };
  }

  async function push(given: Push = {}): Promise<number> {
    const { body, headers } = signedPush(given);
    const altered = given.altered ?? ((text: string) => text);
    const response = await fetch(url, { method: 'POST', headers, body: altered(body) });
    await response.arrayBuffer();
    return response.status;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'push-receiver-'));
  });

  afterEach(async () => {
    for (const { process: each } of started) {
      each.kill('SIGKILL');
      each.stdout.resume();
      each.stderr.resume();
    }
    await Promise.all(started.splice(0).map(({ closed }) => closed));
    await rm(folder, { recursive: true });
  });

  it('stores a signed document and processes it once, however often it arrives', async () => {
    await start();
    expect(await Promise.all([push(), push(), push()])).toEqual([200, 200, 200]);
    expect(JSON.parse(await nextLine())).toMatchObject({ transaction_uuid: UUID, filename: 'März.pdf', size: 7 });
    const other = UUID.replace('019', '020');
    expect(await push({ uuid: other })).toBe(200);
    expect(JSON.parse(await nextLine())).toMatchObject({ transaction_uuid: other });
    expect((await readdir(folder)).sort()).toEqual(
      [UUID, other].flatMap((uuid) => [`${uuid}.json`, `${uuid} März.pdf`, `${uuid} März.pdf.metadata.json`]).sort(),
    );
    const described = await readFile(join(folder, `${UUID} März.pdf.metadata.json`), 'utf8');
    expect(JSON.parse(described)).toMatchObject({ transaction_uuid: UUID, filename: 'März.pdf', size: 7 });
    expect(await readFile(join(folder, `${UUID} März.pdf`), 'utf8')).toBe('content');
  });

  it('recognizes stored documents after a restart', async () => {
    await start();
    await push();
    await nextLine();
    receiver.kill('SIGTERM');
    expect(await once(receiver, 'exit')).toEqual([0, null]);
    await start();
    expect(await push()).toBe(200);
    const other = UUID.replace('019', '020');
    await push({ uuid: other });
    expect(JSON.parse(await nextLine())).toMatchObject({ transaction_uuid: other });
  });

  it('processes stored but unfinished documents after a restart', async () => {
    await start();
    const obstacle = join(folder, `${UUID} März.pdf`);
    await mkdir(obstacle);
    expect(await push()).toBe(200);
    await once(receiver.stderr, 'data'); // the failure
    receiver.kill('SIGKILL');
    await once(receiver, 'exit');
    await rm(obstacle, { recursive: true });
    const [line, ...more] = await start();
    expect(JSON.parse(line!)).toMatchObject({ transaction_uuid: UUID, size: 7 });
    expect(more).toEqual([]);
    expect(await readFile(obstacle, 'utf8')).toBe('content');
    await eventually(async () => (await stat(join(folder, `${UUID}.json`))).size === 0, 'it is marked as done');
    receiver.kill('SIGTERM');
    await once(receiver, 'exit');
    expect(await start()).toEqual([]);
  });

  it('accepts documents whose names are longer than a file system allows', async () => {
    await start();
    expect(await push({ filename: `${'文'.repeat(200)}.pdf` })).toBe(200);
    await nextLine();
    expect(await readdir(folder)).toEqual(expect.arrayContaining([`${UUID} ${'文'.repeat(56)}.pdf`]));
  });

  it('never uses the name of a document as a path', async () => {
    await start();
    expect(await push({ filename: '../../etc/pass\0wd' })).toBe(200);
    await nextLine();
    expect(await readdir(folder)).toEqual(expect.arrayContaining([`${UUID} .._.._etc_pass_wd`]));
  });

  const OLD = new Date(Date.now() - 310_000);
  const EARLY = new Date(Date.now() + 3_600_000); // created long before it is used
  const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  it.each<[string, Push]>([
    ['another secret', { secret: OTHER_SECRET }],
    ['a changed body', { altered: (body) => body.replace('customer-1', 'customer-2') }],
    ['a changed id', { headers: { 'webhook-id': UUID.replace('019', '020') } }],
    ['a signature that is too old', { signedAt: OLD }],
    ['a signature from the future', { signedAt: EARLY }],
    ['a timestamp that is not a number', { headers: { 'webhook-timestamp': 'now' } }],
    ['an empty signature', { headers: { 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { 'webhook-signature': 'v1a,AAAA' } }],
    ['a wrong bearer token', { authorization: 'Bearer other' }],
  ])('rejects %s and stores nothing', async (_, given) => {
    await start();
    expect(await push(given)).toBe(401);
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts a message signed with the old and the new secret, and one from four minutes ago', async () => {
    await start();
    const at = new Date(Date.now() - 240_000);
    expect(await push({ signedAt: at })).toBe(200);
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const body = JSON.stringify({ transaction_uuid: UUID });
    const headers = {
      authorization: 'Bearer token',
      'webhook-id': UUID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `${wrong} ${new Webhook(SECRET).sign(UUID, at, body)}`,
    };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('receives a document while another one arrives slowly, which it finishes when it is told to stop', async () => {
    await start();
    const { body, headers } = signedPush();
    const slow = request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write(body.slice(0, 20));
    const other = UUID.replace('019', '020');
    expect(await push({ uuid: other })).toBe(200);
    expect(JSON.parse(await nextLine())).toMatchObject({ transaction_uuid: other });
    receiver.kill('SIGTERM');
    await eventually(() => isRefused(url), 'it listens no more');
    slow.end(body.slice(20));
    expect((await answered)[0].statusCode).toBe(200);
    expect(await once(receiver, 'exit')).toEqual([0, null]);
    expect(await readdir(folder)).toContain(`${UUID}.json`);
  });

  it('answers 413 to a body that is longer than that of any push', async () => {
    await start();
    const tooLong = request(url, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-length': TOO_MANY_BYTES },
    });
    const answered = once(tooLong, 'response') as Promise<[IncomingMessage]>;
    tooLong.on('error', () => undefined); // It may close the connection after the response.
    tooLong.end(Buffer.alloc(TOO_MANY_BYTES));
    expect((await answered)[0].statusCode).toBe(413);
    expect(await readdir(folder)).toEqual([]);
  });

  it('answers 405 to anything but POST', async () => {
    await start();
    expect((await fetch(url)).status).toBe(405);
  });

  it('does not start without a secret', async () => {
    receiver = spawnExample(script, {});
    expect(await once(receiver, 'exit')).toEqual([1, null]);
  });
}
