import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import { sftp } from '../../../src/integrations/sftp/sftp';
import type { DocumentRef } from '../../../src/integrations/core/source-document';
import { HostKeyNotTrusted, InvalidCredentials, Transient } from '../../../src/integrations/core/source-errors';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { step1Session } from '../../harness/connectors/step1-session';
import { FaultProxy } from '../../fakes/fault-proxy';
import { listAll, read, sha256 } from '../imap/mailbox-session';
import { OpenSsh } from './openssh';
import { rejectionOf } from '../../harness/rejection-of';

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

let server: OpenSsh;
let network: GuardedNetwork;
const sessions: OpenSession[] = [];

function session(
  given: Record<string, unknown> = {},
  {
    step2 = {},
    known = [],
    through = network,
  }: Partial<{
    step2: Record<string, unknown>;
    known: readonly string[];
    through: GuardedNetwork;
  }> = {},
): OpenSession {
  const set = new Set(known);
  const opened = openSession({
    ...step1Session(sftp, { ...server.fields, ...given }),
    step2,
    network: through,
    signal: new AbortController().signal,
    now: () => new Date(),
    findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => set.has(key)))),
  });
  sessions.push(opened);
  return opened;
}

async function put(path: string, content: Buffer | string, modified = AN_HOUR_AGO): Promise<void> {
  const file = join(server.root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await utimes(file, modified, modified);
}

const keysOf = (documents: readonly DocumentRef[]) => documents.map(({ dedupeKey }) => dedupeKey);

beforeEach(async () => {
  network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
  server = await OpenSsh.start();
});

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server?.stop();
  await network.close();
});

describe('The SFTP connector with OpenSSH', () => {
  it('fetches a tree with unchanged bytes, every kind of name and eight files concurrently', async () => {
    const names = [
      'a.pdf',
      'Büro & Co/Ü 1.pdf',
      'tief/er/noch/b.pdf',
      'zeile\numbruch.pdf',
      '\'; "$(x)`.pdf',
      '🧾.pdf',
      `${'lang'.repeat(60)}.pdf`,
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
    ];
    const expected = new Map<string, string>();
    for (const [n, name] of names.entries()) {
      const content = randomBytes(1 + n * 50_000);
      expected.set(name.normalize('NFC') + (name === name.normalize('NFC') ? '' : ' (NFD)'), sha256(content));
      await put(name, content);
    }
    await symlink(join(server.root, 'a.pdf'), join(server.root, 'verweis.pdf'));
    await symlink(server.root, join(server.root, 'im Kreis'));
    const opened = session();
    const { documents } = await listAll(sftp, opened);
    expect(documents).toHaveLength(names.length + 1);
    const contents = await Promise.all(documents.map((ref) => read(sftp, opened, ref)));
    expect(new Set(contents.map(sha256))).toEqual(new Set(expected.values()));
    const long = documents.find(({ filename }) => filename === 'a.pdf');
    expect(long!.metadata.source).toMatchObject({ kind: 'file', path: 'a.pdf' });
  });

  it('lists 50,000 files of one folder, and downloads nothing in a second fetch', async () => {
    await mkdir(join(server.root, 'viele'));
    for (let n = 0; n < 50_000; n += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, i) => put(`viele/${n + i}.pdf`, 'x')));
    }
    const first = await listAll(sftp, session());
    expect(new Set(keysOf(first.documents)).size).toBe(50_000);
    await put('viele/neu.pdf', 'y');
    await rename(join(server.root, 'viele/7.pdf'), join(server.root, 'viele/sieben.pdf'));
    const second = await listAll(sftp, session({}, { known: keysOf(first.documents) }), first.cursor);
    expect(second.documents.map(({ filename }) => filename).sort()).toEqual(['neu.pdf', 'sieben.pdf']);
    expect(JSON.stringify(second.cursor).length).toBeLessThan(200);
  }, 300_000);

  it('logs in with a key, with an encrypted key, and with one that has lost its line breaks', async () => {
    const account = { id: `${server.user}@localhost:${server.port}`, display: `${server.user}@localhost` };
    expect(await sftp.check(session())).toEqual(account);
    const locked = { private_key: server.lockedKey, passphrase: OpenSsh.passphrase };
    expect(await sftp.check(session(locked))).toEqual(account);
    expect(await sftp.check(session({ private_key: server.privateKey.replaceAll('\n', ' ') }))).toEqual(account);
  });

  it('distinguishes login errors from an unavailable server', async () => {
    const wrong = [
      { private_key: server.unknownKey },
      { private_key: server.lockedKey },
      { private_key: server.lockedKey, passphrase: 'falsch' },
      { private_key: 'kein Schlüssel' },
      { login: 'password', password: `falsch ${randomBytes(16).toString('hex')}` },
    ];
    for (const each of wrong)
      expect([each, await rejectionOf(sftp.check(session(each)))]).toEqual([each, expect.any(InvalidCredentials)]);
    const later = session();
    await server.stop();
    expect(await rejectionOf(sftp.check(later))).toBeInstanceOf(Transient);
  });

  it('shows the fingerprint that OpenSSH prints, logs in after it was accepted, and rejects another key', async () => {
    const { port, fingerprint } = server;
    const unknown = await rejectionOf(sftp.check(session({ trusted_fingerprint: undefined })));
    expect(unknown).toBeInstanceOf(HostKeyNotTrusted);
    expect(unknown).toMatchObject({ reason: 'HOST_KEY_UNKNOWN', fingerprint });
    const opened = session();
    await sftp.check(opened);
    expect(opened.trust.confirmedFingerprints).toEqual({ [`localhost:${port}`]: `ssh-ed25519 ${fingerprint}` });
    await server.stop();

    server = await OpenSsh.start({ port, hostKeys: ['rsa'] });
    expect(await rejectionOf(sftp.check(session({ trusted_fingerprint: fingerprint })))).toMatchObject({
      reason: 'HOST_KEY_CHANGED',
      fingerprint: server.fingerprint,
    });
    await sftp.check(session());
  });

  it('lists the folders level by level', async () => {
    await put('Büro/Rechnungen/a.pdf', 'x');
    await put('Ablage/b.pdf', 'x');
    const opened = session();
    const tree = (await sftp.step2!(opened)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ value }) => value)).toEqual(['.', 'Ablage', 'Büro', '/']);
    expect(await sftp.options!(opened, 'folders', 'Büro')).toMatchObject([
      { value: 'Büro/Rechnungen', label: 'Rechnungen' },
    ]);
    expect(await sftp.resolve!(opened, 'folders', ['Büro/Rechnungen', 'nicht da', '.'])).toMatchObject([
      { value: 'Büro/Rechnungen', label: 'Büro/Rechnungen' },
      null,
      { value: '.' },
    ]);
  });

  it('reports a changed or deleted file instead of delivering parts of two versions', async () => {
    await put('a.pdf', randomBytes(500_000));
    await put('b.pdf', randomBytes(500_000));
    const opened = session();
    const { documents } = await listAll(sftp, opened);
    await put('a.pdf', randomBytes(400_000), new Date());
    await rename(join(server.root, 'b.pdf'), join(server.root, 'c.pdf'));
    for (const ref of documents)
      expect(await rejectionOf(read(sftp, opened, ref))).toMatchObject({
        name: 'DocumentUnavailable',
        permanent: true,
      });
  });

  it('streams 100 MB with unchanged bytes', async () => {
    const content = randomBytes(100_000_000);
    await put('gross.pdf', content);
    const opened = session();
    const { documents, cursor } = await listAll(sftp, opened);
    expect(cursor).toMatchObject({ syncedAt: expect.any(String) });
    const hash = createHash('sha256');
    for await (const chunk of (await sftp.download(opened, documents[0]!)).stream) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(sha256(content));
  });

  it('streams a file with unchanged bytes over a connection that breaks three times', async () => {
    const content = randomBytes(8_000_000);
    await put('gross.pdf', content);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    try {
      const opened = session({ port: proxy.port });
      const { documents } = await listAll(sftp, opened);
      proxy.faults((connection) => (connection <= 3 ? { cutAfter: 2_000_000 } : {}));
      proxy.cutAll();
      expect(sha256(await read(sftp, opened, documents[0]!))).toBe(sha256(content));
      expect(proxy.cuts).toBeGreaterThanOrEqual(2);
    } finally {
      await proxy.stop();
    }
  });

  it('reports a transient failure when the connection is lost during login or listing, and lists everything afterwards', async () => {
    for (let n = 0; n < 300; n++) await put(`${n}.pdf`, `${n}`);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    try {
      for (const cutAfter of [0, 30, 1_500, 4_000, 10_000, 30_000]) {
        proxy.faults(() => ({ cutAfter }));
        const cut = await rejectionOf(listAll(sftp, session({ port: proxy.port })));
        expect([cutAfter, cut]).toEqual([cutAfter, expect.any(Transient)]);
      }
      proxy.faults(() => ({}));
      expect((await listAll(sftp, session({ port: proxy.port }))).documents).toHaveLength(300);
    } finally {
      await proxy.stop();
    }
  });

  // The SFTP library reads and writes names in UTF-8 only.
  it('lists a file with a non-UTF-8 name as failed, and fetches the others', async () => {
    await put('März.pdf', 'a');
    const raw = Buffer.concat([Buffer.from(`${server.root}/`), Buffer.from('M\xe4rz.pdf', 'latin1')]);
    await writeFile(raw, 'b');
    await utimes(raw, AN_HOUR_AGO, AN_HOUR_AGO);
    const opened = session();
    const { documents } = await listAll(sftp, opened);
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['März.pdf', 'M\uFFFDrz.pdf'].sort());
    for (const ref of documents) {
      if (ref.filename === 'März.pdf') expect((await read(sftp, opened, ref)).toString()).toBe('a');
      else expect(await rejectionOf(read(sftp, opened, ref))).toMatchObject({ name: 'DocumentRefused' });
    }
  });

  it('reports a folder and a link with non-UTF-8 names after the others have been listed', async () => {
    await put('März/a.pdf', 'a');
    for (const kind of ['folder', 'link']) {
      const raw = Buffer.concat([Buffer.from(`${server.root}/`), Buffer.from(`M\xe4rz ${kind}`, 'latin1')]);
      if (kind === 'folder') await mkdir(raw);
      else await symlink('März/a.pdf', raw);
      const documents: DocumentRef[] = [];
      const listing = async (): Promise<void> => {
        for await (const page of sftp.list(session(), null, null)) documents.push(...page.documents);
      };
      const error = await rejectionOf(listing());
      expect(documents.map(({ filename }) => filename)).toEqual(['a.pdf']);
      expect(error).toMatchObject({ name: 'UnexpectedResponse', message: expect.stringContaining(kind) as string });
      await rm(raw, { recursive: true });
    }
  });
});
