import type { Metadata } from '../../../src/documents/metadata';
import { Receiver } from '../../fakes/receiver';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { connect, TestEngine } from '../../harness/engine/test-engine';
import { type WebhookBody, createWebhook } from '../connections/webhooks/webhook-helpers';
import { createPushClient } from '../provisioning/push/push-setup';
import { verifyEvent, waitForDeliveries } from '../provisioning/webhooks/webhook-receiver';
import { Writer } from './concurrent-writers';

const INVOICE: Metadata = {
  number: 'RE-2026-17',
  date: '2026-03-01',
  amount: '1190.00',
  currency: 'EUR',
  supplier: { vat_id: 'DE123456788', iban: 'DE89370400440532013000' },
};
/** As another source states it. */
const COPY: Metadata = {
  ...INVOICE,
  number: 're-2026–17 ',
  amount: '1190',
  supplier: { iban: 'DE89370400440532013000' },
};

describe('The same invoice from several sources (decisions 4)', () => {
  let engine: TestEngine;
  let pushes: Receiver;
  let events: Receiver;
  let client: TestClient;

  beforeAll(async () => {
    [engine, pushes, events] = await Promise.all([TestEngine.start(), Receiver.start(), Receiver.start()]);
  });
  beforeEach(async () => {
    client = await createPushClient(engine, pushes.url());
  });
  afterEach(() => {
    pushes.clear();
    events.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([pushes.stop(), events.stop()]);
  });

  let portals = 0;

  async function connectPortal(identity: string): Promise<{ uuid: string; writer: Writer }> {
    const portal = { user: `same-invoice-${++portals}`, password: 'right', documents: 0, new_per_fetch: 0 };
    const uuid = await connect(client, 'sandbox', portal, {}, identity);
    await engine.waitForFetches(uuid, 1);
    return {
      uuid,
      writer: new Writer(engine.app, { environment: client.environmentUuid, identity, connection: uuid }),
    };
  }

  const record = (writer: Writer, metadata: Metadata, commit: () => Promise<void> = () => Promise.resolve()) =>
    writer.record(1, commit, { documentType: 'invoice', metadata });
  const recorded = async (connection: string) => (await engine.transactions(connection)).map(({ uuid }) => uuid);
  const sameAs = async (transaction: string, path = '') => {
    const { body } = await client.request('get', `/v1/transactions/${transaction}${path}`).expect(200);
    return (body as { data: { metadata: Metadata } }).data.metadata.same_as;
  };
  const pushed = () =>
    pushes.whole.map(({ body }) => JSON.parse(body.toString()) as { transaction_uuid: string; metadata: Metadata });

  const waitForPushes = (count: number) =>
    eventually(() => Promise.resolve(pushes.whole.length >= count), `${count} pushes arrive`);

  it('is delivered every time, and names the documents that came before', async () => {
    const identity = await client.createIdentity();
    const [mail, portal, foreign] = [
      await connectPortal(identity),
      await connectPortal(identity),
      await connectPortal(await client.createIdentity()),
    ];
    for (const { writer } of [foreign, mail]) await record(writer, INVOICE);
    await record(portal.writer, COPY);
    await record(portal.writer, { ...INVOICE, number: 'RE-2026-18' });
    const [[first], [second, other], [elsewhere]] = [
      await recorded(mail.uuid),
      await recorded(portal.uuid),
      await recorded(foreign.uuid),
    ];
    await engine.runPolls();
    await waitForPushes(4);
    expect(Object.fromEntries(pushed().map((body) => [body.transaction_uuid, body.metadata.same_as]))).toEqual({
      [first!]: undefined,
      [second!]: [first],
      [other!]: undefined,
      [elsewhere!]: undefined,
    });

    expect(await sameAs(first!)).toEqual([second]);
    expect(await sameAs(second!)).toEqual([first]);
    expect(await sameAs(elsewhere!)).toBeUndefined();
    expect([await sameAs(first!, '/document'), await sameAs(second!, '/document')]).toEqual([undefined, [first]]);

    await client.request('delete', `/v1/connections/${mail.uuid}`).expect(204);
    expect(await sameAs(second!)).toBeUndefined();
    expect(await sameAs(second!, '/document')).toBeUndefined();
  });

  it('is recognized when two workers commit it at the same moment', async () => {
    const identity = await client.createIdentity();
    const [one, two] = [await connectPortal(identity), await connectPortal(identity)];
    let commit!: () => void;
    const released = new Promise<void>((resolve) => (commit = resolve));
    let isOpen!: () => void;
    const open = new Promise<void>((resolve) => (isOpen = resolve));
    const earlier = record(one.writer, INVOICE, () => (isOpen(), released));
    await open;
    let isLaterDone = false;
    const later = record(two.writer, COPY).then(() => (isLaterDone = true));
    await eventually(
      async () =>
        isLaterDone ||
        (await engine.count(
          `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )) > 0,
      'the later commit waits for the earlier one',
    ).finally(commit);
    expect(isLaterDone).toBe(false);
    await Promise.all([earlier, later]);
    const [[first], [second]] = [await recorded(one.uuid), await recorded(two.uuid)];
    expect(await sameAs(second!, '/document')).toEqual([first]);
    await waitForPushes(2); // before the next test
  });

  it('is held where the environment wants it, until the client acknowledges it', async () => {
    await engine.rows('update environment set hold_duplicates = true where uuid = $1', client.environmentUuid);
    const webhook: WebhookBody = await createWebhook(client, { url: events.url(), events: ['document.available'] });
    const { uuid: connection, writer } = await connectPortal(await client.createIdentity());
    await record(writer, INVOICE);
    await record(writer, COPY);
    const [first, second] = await recorded(connection);
    await engine.runPolls();
    await waitForDeliveries(engine, webhook, 1);
    await waitForPushes(1);
    expect(pushed()).toMatchObject([{ transaction_uuid: first }]);
    expect(verifyEvent(events.whole[0]!, webhook.secret)).toMatchObject({
      type: 'document.available',
      data: { transaction_uuid: second, reason: 'DUPLICATE' },
    });
    const read = async () => {
      const { body } = await client.request('get', `/v1/transactions/${second}`).expect(200);
      return (body as { data: object }).data;
    };
    expect(await read()).toMatchObject({
      document: { available_until: null },
      metadata: { same_as: [first] },
      provisioning: { status: 'AVAILABLE', attempts: 0, next_attempt_at: null, last_error: null },
    });
    expect(await sameAs(second!, '/document')).toEqual([first]);
    const { body } = await client
      .request('get', `/v1/connections/${connection}/timeline`)
      .set('Lang', 'de')
      .expect(200);
    expect((body as { data: object[] }).data).toContainEqual(
      expect.objectContaining({
        type: 'DOCUMENT_AVAILABLE',
        cause: 'DUPLICATE',
        message: expect.stringMatching(/Dieselbe Rechnung ist schon früher eingegangen\.$/) as string,
      }),
    );

    await client.request('post', `/v1/transactions/${second}/acknowledge`).send({ result: 'ACCEPTED' }).expect(204);
    expect(await read()).toMatchObject({ document: { available_until: expect.any(String) as string } });
    await client.request('post', `/v1/transactions/${second}/redeliver`).expect(202);
    await engine.runPolls();
    await waitForPushes(2);
    expect(pushed()[1]).toMatchObject({ transaction_uuid: second, metadata: { same_as: [first] } });
  });
});
