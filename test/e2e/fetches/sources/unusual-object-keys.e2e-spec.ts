import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connect, TestEngine } from '../../../harness/engine/test-engine';

describe('Objects with unusual keys', () => {
  let engine: TestEngine;
  let client: TestClient;
  let server: FakeS3Server;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
    server = await FakeS3Server.start();
  });
  afterAll(async () => {
    await server.stop();
    await engine.stop();
  });

  it.each([
    [['//a.pdf', '/b.pdf', 'x//c.pdf', 'x/../d.pdf', './e.pdf', 'x/./f.pdf', '..']],
    [
      [
        'a+b.pdf',
        'a%2Bb.pdf',
        'a%.pdf',
        'a b.pdf ',
        ' .pdf',
        'é.pdf',
        'e\u0301.pdf',
        'a\tb.pdf',
        'a\nb.pdf',
        '\u0001.pdf',
      ],
    ],
    [[`${'ü'.repeat(510)}.pdf`, `${'x/'.repeat(510)}.pdf`]],
    [['ordner/', 'a.pdf/', 'leer/a.pdf']],
    [['vorher.pdf', 'a\0b.pdf', 'nachher.pdf']],
  ])('are all fetched (%j)', async (keys) => {
    server.objects.clear();
    for (const key of keys) server.put(key, `%PDF-1.7 ${key}`);
    const uuid = await connect(client, 's3', server.fields, { file_types: ['all'] });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: keys.length, failed: 0 });
    const rows = await engine.transactions(uuid);
    const shown = (key: string) => key.replaceAll('\0', '');
    expect(rows.map((row) => row.external_id).sort()).toEqual(keys.map(shown).sort());
  });

  it('with a trailing slash are files by their extension when they have content, and folders otherwise', async () => {
    server.objects.clear();
    for (const key of ['ordner/a.pdf/', 'ordner/b.exe/']) server.put(key, `%PDF-1.7 ${key}`);
    for (const key of ['ordner/', 'c.pdf/']) server.put(key, '');
    const uuid = await connect(client, 's3', server.fields, { folders: ['ordner'] });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 1, filtered: 1 });
    const [row] = await engine.transactions(uuid);
    expect(row).toMatchObject({ filename: 'a.pdf', external_id: 'ordner/a.pdf/' });
  });
});
