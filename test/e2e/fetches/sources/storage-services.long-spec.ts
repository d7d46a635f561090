import { createHash } from 'node:crypto';
import { ublInvoice } from '../../../builders/invoice-documents';
import { FakeFtpServer, HOME as FTP_HOME } from '../../../fakes/ftp/fake-ftp-server';
import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { FakeSftpServer, HOME as SFTP_HOME } from '../../../fakes/sftp/fake-sftp-server';
import { FakeDavServer } from '../../../fakes/webdav/fake-dav-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const MODIFIED = new Date('2026-03-02T10:00:00Z');

/** A storage server with the manipulations of a test. */
interface Storage {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly account: string;
  /** Enough for the listings to be cut in the middle. Each one is downloaded, so no more than that. */
  readonly filesPerFolder: number;
  put(path: string, content: string | Buffer, modified?: Date): unknown;
  rename(from: string, to: string): void;
  /** Closes the connection while the second folder is listed, until `repair`. */
  cutListings(): void;
  /** Closes the connection once during the next file, after its first megabyte. */
  cutDownload(): void;
  repair(): void;
  stop(): Promise<void>;
}

const MEGABYTE = 1_000_000;

const STORAGES: Readonly<Record<string, () => Promise<Storage>>> = {
  async sftp() {
    const server = await FakeSftpServer.start();
    return {
      fields: {
        ...{ host: 'localhost', port: server.port, user: 'anna', password: 'right' },
        trusted_fingerprint: server.fingerprint,
      },
      account: `anna@localhost`,
      filesPerFolder: 200,
      put: (path, content, modified) => server.put(path, content, modified),
      rename: (from, to) => server.files.rename(`${SFTP_HOME}/${from}`, `${SFTP_HOME}/${to}`),
      cutListings() {
        let portions = 0;
        // Pages of a hundred; the last page of a folder is empty.
        server.onList = () => ++portions > 6;
      },
      cutDownload() {
        let isCut = false;
        server.onRead = (_, offset) => !isCut && (isCut = offset > MEGABYTE);
      },
      repair: () => void (server.onList = () => false),
      stop: () => server.stop(),
    };
  },
  async ftp() {
    const server = await FakeFtpServer.start();
    return {
      fields: { host: 'localhost', port: server.port, security: 'NONE', user: 'anna', password: 'right' },
      account: 'anna@localhost',
      filesPerFolder: 100,
      put: (path, content, modified) => server.put(path, content, modified),
      rename: (from, to) => server.files.rename(`${FTP_HOME}/${from}`, `${FTP_HOME}/${to}`),
      cutListings() {
        let folders = 0;
        server.refuse = (command) => {
          if (command.startsWith('MLSD') && ++folders > 2) server.cut();
          return undefined;
        };
      },
      cutDownload() {
        let isCut = false;
        server.cutAfter = () => (isCut ? undefined : ((isCut = true), MEGABYTE));
      },
      repair: () => void (server.refuse = () => undefined),
      stop: () => server.stop(),
    };
  },
  async nextcloud() {
    const server = await FakeDavServer.start({ isNextcloud: true });
    return {
      fields: { url: server.origin, user: 'anna', password: 'right' },
      account: `${server.uid}@localhost:${server.port}`,
      filesPerFolder: 100,
      put: (path, content, modified) => server.put(path, content, modified),
      rename: (from, to) => server.files.rename(`/home/${from}`, `/home/${to}`),
      cutListings() {
        let folders = 0;
        server.fault = ({ depth }) => (depth === '1' && ++folders > 2 ? { cutAfter: 20_000 } : undefined);
      },
      cutDownload() {
        let isCut = false;
        server.fault = ({ method }) =>
          isCut || method !== 'GET' ? undefined : ((isCut = true), { cutAfter: MEGABYTE });
      },
      repair: () => void (server.fault = () => undefined),
      stop: () => server.stop(),
    };
  },
  async s3() {
    const server = await FakeS3Server.start();
    return {
      fields: server.fields,
      account: `${server.bucket} (localhost:${server.port})`,
      filesPerFolder: 100,
      put: (path, content, modified) => server.put(path, content, modified),
      rename(from, to) {
        server.objects.set(to, server.objects.get(from)!);
        server.objects.delete(from);
      },
      // There are no folders: the second page is cut.
      cutListings() {
        server.pageSize = 120;
        server.fault = ({ query }) => (query.has('continuation-token') ? { cutAfter: 5_000 } : undefined);
      },
      cutDownload() {
        let isCut = false;
        server.fault = ({ query }) => (isCut || query.size > 0 ? undefined : ((isCut = true), { cutAfter: MEGABYTE }));
      },
      repair: () => void (server.fault = () => undefined),
      stop: () => server.stop(),
    };
  },
};

/** The source's id of a file; null without one. */
const EXTERNAL_ID: Readonly<Record<string, unknown>> = {
  sftp: null,
  ftp: null,
  nextcloud: expect.stringMatching(/^\d+/),
  s3: 'Büro/Rechnung Ü.pdf',
};

describe.each(Object.keys(STORAGES))('Fetching from %s', (id) => {
  let engine: TestEngine;
  let client: TestClient;
  let storage: Storage;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  beforeEach(async () => {
    storage = await STORAGES[id]!();
  });
  afterEach(() => storage.stop());
  afterAll(() => engine.stop());

  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };

  it('records every matching file of the selected folders with its bytes, type and metadata', async () => {
    storage.put('Büro/Rechnung Ü.pdf', '%PDF-1.7 a', MODIFIED);
    storage.put('Büro/2026/e.xml', ublInvoice({ number: 'RE-2026-77', date: '2026-03-01' }), MODIFIED);
    storage.put('Büro/Entwurf 1.pdf', '%PDF-1.7 b');
    storage.put('Büro/leer.pdf', '');
    storage.put('Büro/programm.exe', 'MZ');
    storage.put('anderswo/nicht.pdf', '%PDF-1.7 c');
    const uuid = await connect(client, id, storage.fields, { folders: ['Büro'], exclude: 'entwurf*' });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 5, new: 2, filtered: 3, duplicate: 0, failed: 0 });
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'OK',
      account: { display: storage.account },
    });
    const rows = await engine.transactions(uuid);
    expect(rows.find(({ filename }) => filename === 'Rechnung Ü.pdf')).toMatchObject({
      sha256: sha256('%PDF-1.7 a'),
      mime_type: 'application/pdf',
      external_id: EXTERNAL_ID[id],
      metadata: { source: { kind: 'file', path: 'Büro/Rechnung Ü.pdf', modified_at: '2026-03-02T10:00:00Z' } },
    });
    expect(rows.find(({ filename }) => filename === 'e.xml')).toMatchObject({
      document_type: 'invoice',
      metadata: { number: 'RE-2026-77', e_invoice: { format: 'XRECHNUNG' }, source: { path: 'Büro/2026/e.xml' } },
    });
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('fetches new and changed files, and does not fetch renamed, moved or copied files again', async () => {
    for (const name of ['a', 'b', 'c']) storage.put(`Eingang/${name}.pdf`, `%PDF-1.7 ${name}`);
    storage.put('Kopien/a.pdf', '%PDF-1.7 a');
    const uuid = await connect(client, id, storage.fields, {});
    const [first] = await engine.waitForFetches(uuid, 1);
    expect(first).toMatchObject({ status: 'SUCCEEDED', seen: 4, new: 3, duplicate: 1 });
    storage.rename('Eingang/a.pdf', 'Eingang/umbenannt.pdf');
    storage.rename('Eingang/b.pdf', 'Archiv/2026/b.pdf');
    storage.put('Eingang/c.pdf', '%PDF-1.7 other', new Date(Date.now() - 1_800_000));
    storage.put('Eingang/d.pdf', '%PDF-1.7 d');
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 4, new: 2, duplicate: 2 });
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    const contents = (await engine.transactions(uuid)).map((row) => row.sha256).sort();
    expect(contents).toEqual(['a', 'b', 'c', 'd', 'other'].map((name) => sha256(`%PDF-1.7 ${name}`)).sort());
  });

  it('records files from the start date on, which starts at midnight in the user’s time zone', async () => {
    storage.put('alt.pdf', '%PDF-1.7 alt', new Date('2026-02-28T22:59:59Z'));
    storage.put('neu.pdf', '%PDF-1.7 neu', new Date('2026-02-28T23:00:00Z'));
    const fields = { ...storage.fields, startdate: '2026-03-01', time_zone: 'Europe/Berlin' };
    const uuid = await connect(client, id, fields, {});
    const [fetch] = await engine.waitForFetches(uuid, 1);
    const filtered_by = { BEFORE_STARTDATE: 1 };
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 2, new: 1, filtered_by });
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual(['neu.pdf']);
  });

  it('records files with matching paths and types in every selected folder', async () => {
    for (const folder of ['Büro', 'Ablage']) {
      storage.put(`${folder}/Rechnung 1.pdf`, `%PDF-1.7 ${folder} 1`);
      storage.put(`${folder}/2026/RECHNUNG 2.pdf`, `%PDF-1.7 ${folder} 2`);
      storage.put(`${folder}/2026/Rechnung alt.pdf`, '%PDF-1.7 alt');
      storage.put(`${folder}/Angebot.pdf`, '%PDF-1.7 Angebot');
      storage.put(`${folder}/Rechnung 3.txt`, `Rechnung ${folder}`);
      storage.put(`${folder}/Rechnung 4.pdf.part`, '%PDF-1.7 hal');
    }
    const step2 = { folders: ['Büro', 'Ablage'], file_types: ['pdf'], include: '**/rechnung*', exclude: '*alt*' };
    const uuid = await connect(client, id, storage.fields, step2);
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 12, new: 4, filtered: 8 });
    expect((await engine.transactions(uuid)).map(({ metadata }) => metadata.source)).toEqual(
      expect.arrayContaining(
        ['Büro', 'Ablage'].flatMap((folder) => [
          expect.objectContaining({ path: `${folder}/Rechnung 1.pdf` }),
          expect.objectContaining({ path: `${folder}/2026/RECHNUNG 2.pdf` }),
        ]),
      ),
    );
  });

  it('resumes without gap or repeat when the connection is lost during a listing', async () => {
    const uuid = await connect(client, id, storage.fields, {});
    await engine.waitForFetches(uuid, 1);
    const { filesPerFolder } = storage;
    for (let n = 0; n < filesPerFolder; n++) {
      storage.put(`a/${n}.pdf`, `%PDF-1.7 a ${n}`);
      storage.put(`b/${n}.pdf`, `%PDF-1.7 b ${n}`);
    }
    storage.cutListings();
    const cut = await fetchAgain(uuid, 2);
    expect(cut).toMatchObject({ status: 'PARTIAL', error_code: 'PROVIDER_DOWN', duplicate: 0, failed: 0 });
    storage.repair();
    await engine.advanceClock(120);
    const last = await engine.waitForLastFetch(uuid, 3);
    expect(last).toMatchObject({ status: 'SUCCEEDED', new: 2 * filesPerFolder - cut.new, duplicate: 0, failed: 0 });
    const contents = (await engine.transactions(uuid)).map((row) => row.sha256);
    expect(contents).toHaveLength(2 * filesPerFolder);
    expect(new Set(contents).size).toBe(2 * filesPerFolder);
  });

  it('resumes a download after a broken connection', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(3 * MEGABYTE, 'lang '));
    storage.put('lang.pdf', content);
    storage.cutDownload();
    const uuid = await connect(client, id, storage.fields, {});
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', new: 1, failed: 0 });
    expect((await engine.transactions(uuid)).map((row) => row.sha256)).toEqual([sha256(content)]);
  });

  it('keeps all characters of file names', async () => {
    const names = ['Bu\u0308ro.pdf', 'B\u00fcro 2.pdf', '🧾.pdf', "'; drop--.pdf", '100 % [x]*?#&+.pdf', 'ﬁ “x”.pdf'];
    for (const name of names) storage.put(`Büro & Co #1/${name}`, `%PDF-1.7 ${name}`);
    const uuid = await connect(client, id, storage.fields, {});
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', new: names.length, failed: 0 });
    const rows = await engine.transactions(uuid);
    for (const name of names) {
      expect(rows.find((row) => row.sha256 === sha256(`%PDF-1.7 ${name}`))!.metadata.source).toMatchObject({
        path: `Büro & Co #1/${name}`.normalize('NFC'),
      });
    }
  });
});
