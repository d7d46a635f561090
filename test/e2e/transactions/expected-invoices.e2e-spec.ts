import type { DocumentType, Metadata } from '../../../src/documents/metadata';
import { WatchExpectedInvoices } from '../../../src/transactions/expected/watch-expected-invoices';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { connect, TestEngine } from '../../harness/engine/test-engine';
import { Writer } from './concurrent-writers';

const SUPPLIER = { name: 'Stadtwerke Musterstadt GmbH', vat_id: 'DE123456788', iban: 'DE89370400440532013000' };
const TODAY = '2026-06-20';
const MONTHLY = ['2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'];

describe('A monthly invoice that has not come (decisions 9)', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start({ intervalFactor: 1 }); // only the tests check
    const { clock } = engine.app;
    clock.advance((Date.parse(`${TODAY}T08:00:00Z`) - clock.now().getTime()) / 1000);
    client = await createClient();
  });
  afterAll(() => engine.stop());

  async function createClient(): Promise<TestClient> {
    const created = await createTestClient(engine.app);
    await engine.rows('update environment set expected_documents = true where uuid = $1', created.environmentUuid);
    return created;
  }

  let portals = 0;

  async function connectPortal(of: TestClient, identity: string): Promise<{ uuid: string; writer: Writer }> {
    const portal = { user: `expected-${++portals}`, password: 'right', documents: 0, new_per_fetch: 0 };
    const uuid = await connect(of, 'sandbox', portal, {}, identity);
    await engine.waitForFetches(uuid, 1);
    return { uuid, writer: new Writer(engine.app, { environment: of.environmentUuid, identity, connection: uuid }) };
  }

  async function record(
    writer: Writer,
    dates: readonly string[],
    stated: Metadata = {},
    type: DocumentType = 'invoice',
  ) {
    for (const date of dates) {
      const metadata = { date, number: `R-${date}`, amount: '10.00', supplier: SUPPLIER, ...stated };
      await writer.record(1, () => Promise.resolve(), { documentType: type, metadata });
    }
  }

  async function monthly(of: TestClient = client): Promise<{ identity: string; uuid: string; writer: Writer }> {
    const identity = await of.createIdentity();
    const connection = await connectPortal(of, identity);
    await record(connection.writer, MONTHLY);
    return { identity, ...connection };
  }

  async function check(): Promise<void> {
    await engine.app.app.get(WatchExpectedInvoices, { strict: false }).check();
    await engine.runPolls();
  }
  const told = async (of: TestClient = client) =>
    (
      (await of.request('get', '/v1/events?type=document.expected_missing').expect(200)).body as {
        data: { data: { connection_uuid: string } }[];
      }
    ).data.map(({ data }) => data);

  it('is told once with its evidence, unless the source could not be read or the supplier came another way', async () => {
    const missing = await monthly();
    const [otherWay, unreadable, unreadDate] = [await monthly(), await monthly(), await monthly()];
    await record((await connectPortal(client, otherWay.identity)).writer, ['2026-06-05'], {
      supplier: { iban: SUPPLIER.iban },
    });
    await record(unreadDate.writer, ['2026-06-05'], { date: undefined, supplier: { name: SUPPLIER.name } }, 'document');
    await record(missing.writer, ['2026-06-05'], {}, 'credit_note');
    await engine.rows(`update connection set last_success_at = '2026-06-10' where uuid = $1`, unreadable.uuid);
    const unasked = await createTestClient(engine.app);
    await monthly(unasked);

    await check();
    const expected = {
      client_identifier: expect.any(String) as string,
      identity_uuid: missing.identity,
      connection_uuid: missing.uuid,
      supplier: SUPPLIER,
      last_dates: MONTHLY,
      expected_by: '2026-06-17',
    };
    expect(await told()).toEqual([expected]);
    expect(await told(unasked)).toEqual([]);

    const timeline = `/v1/connections/${missing.uuid}/timeline`;
    const { body } = await client.request('get', timeline).set('Lang', 'de').expect(200);
    expect((body as { data: object[] }).data).toContainEqual(
      expect.objectContaining({
        type: 'DOCUMENT_EXPECTED',
        message:
          'Von Stadtwerke Musterstadt GmbH kam jeden Monat eine Rechnung, bis zum 17. Juni 2026 aber keine neue. ' +
          'Die letzten Rechnungen: 3. Februar 2026, 3. März 2026, 3. April 2026 und 3. Mai 2026.',
      }),
    );

    await engine.rows('update environment set expected_documents_checked_at = null where expected_documents');
    await check();
    expect(await told()).toEqual([expected]);
    await client.request('delete', `/v1/connections/${missing.uuid}`).expect(204);
    expect(await engine.rows('select from missing_invoice where connection_uuid = $1', missing.uuid)).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it('is looked for once a day', async () => {
    const other = await createClient();
    await check();
    await monthly(other);
    await check();
    expect(await told(other)).toEqual([]);
    engine.app.clock.advance(86_400);
    await check();
    expect(await told(other)).toHaveLength(1);
  });
});
