import { buffer } from 'node:stream/consumers';
import { FakeS3Server } from '../../../test/fakes/s3/fake-s3-server';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { AddressNotAllowed } from '../../platform/network/network';
import { type OpenSession, openSession } from '../core/session/open-session';
import type { DocumentRef } from '../core/source-document';
import {
  SelectionNotFound,
  UnexpectedResponse,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { s3 } from './s3';
import { rejectionOf } from '../../../test/harness/rejection-of';

let server: FakeS3Server;
const network = new GuardedNetwork({
  allow: ['127.0.0.0/8', '::1/128'],
  // Names of buckets before that of the host are one, too.
  lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
});
const sessions: OpenSession[] = [];

function session(given: Record<string, unknown> = {}, step2: object = {}, through = network): OpenSession {
  const { values, invalidFields } = validateFields(s3.step1, { ...server.fields, ...given });
  expect(invalidFields).toEqual([]);
  const { signal } = new AbortController();
  const now = () => new Date();
  const opened = openSession({ fields: values, step2: step2 as never, network: through, signal, now });
  sessions.push(opened);
  return opened;
}

async function listed(opened: OpenSession): Promise<DocumentRef[]> {
  const documents: DocumentRef[] = [];
  for await (const page of s3.list(opened, null, null)) documents.push(...page.documents);
  return documents;
}

const read = async (opened: OpenSession, ref: DocumentRef) => buffer((await s3.download(opened, ref)).stream);
const answerOf = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

beforeEach(async () => {
  server = await FakeS3Server.start();
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server.stop();
});
afterAll(() => network.close());

describe('Signing in to S3', () => {
  it('distinguishes rejected keys from transient errors and missing buckets', async () => {
    expect(await rejectionOf(s3.check(session({ secret_key: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(s3.check(session({ access_key: 'AKIAOTHER' })))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(s3.check(session({ bucket: 'andere' })))).toBeInstanceOf(SelectionNotFound);
    for (const [status, code, expected] of [
      [403, 'AccessDenied', PermissionMissing],
      [403, 'AllAccessDisabled', PermissionMissing],
      [403, 'RequestTimeTooSkewed', Transient],
      [403, '', SelectionNotFound],
      [401, 'Unauthorized', InvalidCredentials],
      [401, '', Transient],
      [503, 'SlowDown', RateLimited],
      [503, 'ServiceUnavailable', Transient],
      [500, 'InternalError', Transient],
      [429, '', RateLimited],
    ] as const) {
      server.fault = () => ({ status, body: answerOf(code) });
      const error = await rejectionOf(s3.check(session()));
      expect([status, code, error]).toEqual([status, code, expect.any(expected)]);
    }
  });

  it('reports missing permissions for bucket, folder and object', async () => {
    server.put('offen/a.pdf', '%PDF-1.7 a');
    server.put('zu/b.pdf', '%PDF-1.7 b');
    const opened = session({}, { folders: ['zu', 'offen'] });
    const denied = { status: 403, body: answerOf('AccessDenied') };
    server.fault = ({ query }) => (query.get('prefix')?.startsWith('zu/') ? denied : undefined);
    const documents: DocumentRef[] = [];
    const listing = async () => {
      for await (const page of s3.list(opened, null, null)) documents.push(...page.documents);
    };
    expect(await rejectionOf(listing())).toBeInstanceOf(PermissionMissing);
    expect(documents).toMatchObject([{ filename: 'a.pdf' }]);
    expect(await rejectionOf(s3.resolve!(session(), 'folders', ['zu']))).toBeInstanceOf(PermissionMissing);
    server.fault = () => denied;
    expect(await rejectionOf(s3.step2!(opened))).toBeInstanceOf(PermissionMissing);
    expect(await rejectionOf(read(opened, documents[0]!))).toMatchObject({
      name: 'DocumentUnavailable',
      permanent: false,
    });
  });

  it('determines the bucket’s region', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const opened = session({ region: 'us-east-1' });
    const [ref] = await listed(opened);
    expect((await read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
    expect(server.requests.filter(({ headers }) => headers.authorization?.includes('us-east-1'))).toHaveLength(1);
  });

  it('sends concurrent requests in the determined region', async () => {
    for (const name of ['a', 'b', 'c']) server.put(`${name}/1.pdf`, 'x');
    const found = await s3.resolve!(session({ region: 'us-east-1' }), 'folders', ['a', 'b', 'c']);
    expect(found).toMatchObject([{ value: 'a' }, { value: 'b' }, { value: 'c' }]);
  });

  it('signs for a bucket in the host name, too', async () => {
    server.fault = ({ headers, path }) =>
      headers.host === `belege.localhost:${server.port}` && path === '/'
        ? { status: 200, body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' }
        : undefined;
    const account = await s3.check(session({ addressing: 'host' }));
    expect(account).toMatchObject({ id: `belege.localhost:${server.port}/belege` });
  });

  it('does not connect to addresses that the network guard rejects, and follows no redirects', async () => {
    const closed = new GuardedNetwork({ allow: [] });
    expect(await rejectionOf(s3.check(session({ endpoint: 'http://127.0.0.1' }, {}, closed)))).toBeInstanceOf(
      AddressNotAllowed,
    );
    await closed.close();
    expect(server.requests).toEqual([]);
    server.fault = () => ({ status: 307, headers: { location: `http://127.0.0.1:${server.port}/x` } });
    expect(await rejectionOf(s3.check(session()))).toBeInstanceOf(SelectionNotFound);
    expect(server.requests).toHaveLength(1);
  });
});

describe('Reading from S3', () => {
  it('supports all characters in keys', async () => {
    const keys = [
      'Büro & Co/Rechnung #1 100%.pdf',
      'a+b=c?.pdf',
      '%2e%2e/%41.pdf',
      'x/../y/./z.pdf',
      '//doppelt//a.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      '\';(a)*!"$`<>.pdf',
      '🧾 zeile\numbruch\u0001.pdf',
      ' leer .pdf',
    ];
    for (const key of keys) server.put(key, `%PDF-1.7 ${key}`);
    server.put('ordner/', '');
    const opened = session();
    const documents = await listed(opened);
    const contents = await Promise.all(documents.map(async (ref) => (await read(opened, ref)).toString()));
    expect(contents.sort()).toEqual(keys.map((key) => `%PDF-1.7 ${key}`).sort());
    expect(documents.map(({ externalId }) => externalId).sort()).toEqual([...keys].sort());
  });

  it('lists 50,000 objects in fifty requests, and only the selected prefix', async () => {
    for (let n = 0; n < 50_000; n++) server.put(`viele/${n}.pdf`, 'x');
    server.put('viele mehr/a.pdf', 'x');
    expect(await listed(session({}, { folders: ['viele mehr'] }))).toHaveLength(1);
    server.requests.splice(0);
    const documents = await listed(session({}, { folders: ['viele'] }));
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(50_000);
    expect(server.requests).toHaveLength(50);
  });

  it('shows prefixes as folders, level by level', async () => {
    server.put('Büro/2026/a.pdf', 'x');
    server.put('Ablage/b.pdf', 'x');
    server.put('c.pdf', 'x');
    const opened = session();
    const [folders] = await s3.step2!(opened);
    expect(folders!.options!.map(({ value }) => value)).toEqual(['.', 'Ablage', 'Büro']);
    expect(await s3.options!(opened, 'folders', 'Büro')).toMatchObject([{ value: 'Büro/2026', label: '2026' }]);
    expect(await s3.resolve!(opened, 'folders', ['Büro/2026', 'Büro/20', 'c.pdf', '.'])).toMatchObject([
      { label: 'Büro/2026' },
      null,
      null,
      { value: '.' },
    ]);
  });

  it('accepts a selected empty folder, and fetches nothing from it', async () => {
    server.put('leer/', '');
    server.put('Büro/leer/', '');
    server.put('datei.pdf/', 'x');
    const opened = session({}, { folders: ['leer'] });
    const [folders] = await s3.step2!(opened);
    expect(folders!.options!.map(({ value }) => value)).toEqual(['.', 'Büro', 'datei.pdf', 'leer']);
    expect(await s3.options!(opened, 'folders', 'leer')).toEqual([]);
    const chosen = ['leer', 'Büro/leer', 'Büro', 'datei.pdf'];
    expect(await s3.resolve!(opened, 'folders', chosen)).toMatchObject(chosen.map((value) => ({ value })));
    expect(await listed(opened)).toEqual([]);
    // A selected folder stays selected without objects; a newly selected one has to exist.
    server.objects.clear();
    expect(await s3.resolve!(opened, 'folders', ['leer', 'Büro'])).toMatchObject([{ value: 'leer' }, null]);
    expect(await listed(opened)).toEqual([]);
  });

  it('resumes after a broken connection', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    server.put('a.pdf', content);
    const opened = session();
    const [ref] = await listed(opened);
    let cuts = 0;
    server.fault = () => (cuts++ < 2 ? { cutAfter: 150_000 } : undefined);
    expect((await read(opened, ref!)).equals(content)).toBe(true);
    expect(server.requests.filter(({ headers }) => headers.range).length).toBe(2);
  });

  it('delivers the listed version only', async () => {
    const object = server.put('a.pdf', '%PDF-1.7 a'.padEnd(300_000));
    const opened = session();
    const [ref] = await listed(opened);
    server.fault = () => {
      object.content = Buffer.from('%PDF-1.7 b'.padEnd(300_000));
      server.fault = () => undefined;
      return { cutAfter: 0 };
    };
    const permanently = { name: 'DocumentUnavailable', permanent: true };
    expect(await rejectionOf(read(opened, ref!))).toMatchObject(permanently);
    server.objects.delete('a.pdf');
    expect(await rejectionOf(read(opened, ref!))).toMatchObject(permanently);
    server.put('a.pdf', '%PDF-1.7 a'.padEnd(300_000)).isArchived = true;
    expect(await rejectionOf(read(opened, ref!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
  });

  it('needs no stability check, because S3 lists complete objects only', async () => {
    server.put('a.pdf', 'whole', new Date());
    const prefixes: (string | null)[] = [];
    server.fault = ({ query }) => void prefixes.push(query.get('prefix'));
    expect((await listed(session())).map(({ filename }) => filename)).toEqual(['a.pdf']);
    expect(prefixes).not.toContain('a.pdf');
  });

  it('retries once when a signature is rejected, as overloaded gateways do', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const wrong = { status: 403, body: answerOf('SignatureDoesNotMatch') };
    let requests = 0;
    server.fault = () => (requests++ % 2 === 0 ? wrong : undefined);
    const opened = session();
    await s3.check(opened);
    const [ref] = await listed(opened);
    expect((await read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
  });

  it('reports a wrong signature only when the bucket rejects it, too', async () => {
    for (const key of ['gut/a.pdf', 'a+b/ü.pdf']) server.put(key, `%PDF-1.7 ${key}`);
    const opened = session();
    const documents = await listed(opened);
    const [odd, good] = ['a+b/ü.pdf', 'gut/a.pdf'].map((key) => documents.find(({ externalId }) => externalId === key));
    const wrong = { status: 403, body: answerOf('SignatureDoesNotMatch') };
    // Like a proxy that rewrites unusual paths and queries.
    server.fault = ({ path, query }) =>
      /%2B/.test(path) || query.get('prefix')?.startsWith('a+b') ? wrong : undefined;
    expect(await rejectionOf(read(opened, odd!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
    expect((await read(opened, good!)).toString()).toBe('%PDF-1.7 gut/a.pdf');
    expect(await rejectionOf(listed(session({}, { folders: ['a+b', 'gut'] })))).toBeInstanceOf(Transient);

    server.fault = () => wrong;
    expect(await rejectionOf(read(opened, good!))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(listed(session({}, { folders: ['gut'] })))).toBeInstanceOf(InvalidCredentials);
    server.requests.splice(0);
    server.fault = () => ({ status: 403, body: answerOf('InvalidAccessKeyId') });
    expect(await rejectionOf(read(opened, good!))).toBeInstanceOf(InvalidCredentials);
    expect(server.requests).toHaveLength(1);
  });

  it('fails as transient when a listing is cut off', async () => {
    for (let n = 0; n < 300; n++) server.put(`${n}.pdf`, 'x');
    for (const cutAfter of [0, 10, 5_000]) {
      server.fault = () => ({ cutAfter });
      expect(await rejectionOf(listed(session()))).toBeInstanceOf(Transient);
    }
  });

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "bb">]><ListBucketResult/>'],
    ['another root', '<html><body>Welcome</body></html>'],
    ['a token that is not there', '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'],
    [
      'a token that does not go on',
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>',
    ],
    ['an object without a key', '<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>'],
  ])('rejects a listing with %s', async (_, body) => {
    server.fault = () => ({ status: 200, body });
    expect(await rejectionOf(listed(session()))).toBeInstanceOf(UnexpectedResponse);
  });
});
