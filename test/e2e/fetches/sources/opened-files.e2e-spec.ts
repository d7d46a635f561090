import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connect, TestEngine } from '../../../harness/engine/test-engine';

const pdf = (name: string) => `%PDF-1.7 ${name}`;

async function zip(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream);
}

describe('Files that are opened', () => {
  let engine: TestEngine;
  let client: TestClient;
  let server: FakeS3Server;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
    server = await FakeS3Server.start();
  });
  beforeEach(() => server.objects.clear());
  afterAll(async () => {
    await server.stop();
    await engine.stop();
  });

  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };
  const namesOf = async (uuid: string) => (await engine.transactions(uuid)).map(({ filename }) => filename).sort();
  const downloads = () =>
    server.requests.filter(({ path }) => path !== `/${server.bucket}` && path !== `/${server.bucket}/`);

  it('are identified by their content when their name says nothing, and are read once', async () => {
    server.put('Rechnung 4711', pdf('unnamed'));
    server.put('scan.dat', pdf('dat'));
    server.put('x.pdf.', pdf('dot'));
    server.put('y.pdf ', pdf('space'));
    server.put('LICENSE', 'All rights reserved.');
    server.put('Bericht', '<html><p>Hallo</p></html>');
    server.put('programm.exe', 'MZ');
    const uuid = await connect(client, 's3', server.fields);
    const first = await engine.waitForLastFetch(uuid, 1);
    expect(first).toMatchObject({ status: 'SUCCEEDED', seen: 7, new: 4, filtered_by: { TYPE: 3 } });
    expect(await namesOf(uuid)).toEqual(['Rechnung 4711', 'scan.dat', 'x.pdf.', 'y.pdf']);
    server.requests.length = 0;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0, filtered_by: null });
    expect(downloads()).toEqual([]);
  });

  it('are replaced by the files in them when they are archives, which are read once', async () => {
    const files = { 'b.pdf': pdf('b'), '2026/c.pdf': pdf('c'), 'd.exe': 'MZ', 'leer.pdf': '' };
    server.put('Belege.zip', await zip(files));
    server.put('b.pdf', pdf('b'));
    server.put('kaputt.zip', 'PK broken');
    const uuid = await connect(client, 's3', server.fields);
    const first = await engine.waitForLastFetch(uuid, 1);
    expect(first).toMatchObject({ seen: 6, new: 3, duplicate: 1, filtered_by: { EMPTY: 1, TYPE: 1 } });
    const rows = await engine.transactions(uuid);
    expect(rows.map(({ filename }) => filename).sort()).toEqual(['b.pdf', 'c.pdf', 'kaputt.zip']);
    expect(rows.find(({ filename }) => filename === 'c.pdf')).toMatchObject({
      external_id: null,
      mime_type: 'application/pdf',
      metadata: { source: { kind: 'file', path: 'Belege.zip' } },
    });
    server.requests.length = 0;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    expect(downloads()).toEqual([]);
    server.put('Belege.zip', await zip({ ...files, 'neu.pdf': pdf('neu') }));
    expect(await fetchAgain(uuid, 3)).toMatchObject({ new: 1, filtered_by: { EMPTY: 1, TYPE: 1 } });
  });

  it('are counted when they are temporary, and fetched with all files', async () => {
    server.put('~$brief.docx', 'x');
    server.put('b.pdf.part', pdf('part'));
    server.put('Thumbs.db', 'x');
    server.put('a.exe', 'MZ');
    const some = await connect(client, 's3', server.fields, { file_types: ['pdf', 'office'] });
    expect(await engine.waitForLastFetch(some, 1)).toMatchObject({
      filtered_by: { SYSTEM_FILE: 2, PARTIAL_UPLOAD: 1, TYPE: 1 },
    });
    const all = await connect(client, 's3', server.fields, { file_types: ['all'] });
    expect(await engine.waitForLastFetch(all, 1)).toMatchObject({ seen: 4, new: 3, duplicate: 1 });
  });

  it('have a revision when the source states another version and the content is another one', async () => {
    const revisions = async (uuid: string) => (await engine.transactions(uuid)).map((row) => row.metadata['revision']);
    server.put('a.pdf', pdf('first'));
    const uuid = await connect(client, 's3', server.fields);
    await engine.waitForLastFetch(uuid, 1);
    server.put('a.pdf', pdf('second'));
    await fetchAgain(uuid, 2);
    server.put('a.pdf', pdf('third'));
    server.put('b.pdf', pdf('other'));
    await fetchAgain(uuid, 3);
    expect(new Set(await revisions(uuid))).toEqual(new Set([undefined, 2, 3, undefined]));
    server.put('a.pdf', pdf('second'));
    expect(await fetchAgain(uuid, 4)).toMatchObject({ new: 0, duplicate: expect.any(Number) });
    expect(await revisions(uuid)).toHaveLength(4);
  });

  it('are in the same folder with and without a slash at its end', async () => {
    server.put('Belege/a.pdf', pdf('a'));
    server.put('Belege alt/b.pdf', pdf('b'));
    for (const folders of [['Belege/'], ['Belege'], ['Belege', 'Belege/']]) {
      const uuid = await connect(client, 's3', server.fields, { folders });
      expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ seen: 1, new: 1 });
    }
  });
});
