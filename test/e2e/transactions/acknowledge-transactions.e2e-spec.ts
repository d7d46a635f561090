import { randomUUID } from 'node:crypto';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { readFacts, getTransaction, transactionsOf } from './transaction-rows';

const PATH = '/v1/transactions/acknowledge';

describe('POST /v1/transactions/acknowledge (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  let uuids: string[];
  let ofOtherIdentity: string;

  const acknowledge = (transaction_uuids: unknown, more: object = {}, lang = 'en') =>
    context.client
      .request('post', PATH)
      .set('Lang', lang)
      .send({ result: 'ACCEPTED', transaction_uuids, ...more });
  const statuses = async (of: string[]) =>
    (await Promise.all(of.map((uuid) => getTransaction(context, uuid)))).map(({ provisioning }) => provisioning.status);

  beforeAll(async () => {
    uuids = await transactionsOf(context, await connectionWithDocuments(context, { documents: 30 }));
    const otherIdentity = { uuid: context.otherIdentity, token: context.otherIdentityToken };
    [ofOtherIdentity] = (await transactionsOf(
      context,
      await connectionWithDocuments(context, { user: 'v', documents: 1 }, otherIdentity),
    )) as [string];
  });

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['key'] });

  it('acknowledges all of them together, even when some are listed repeatedly', async () => {
    const [a, b, c, d] = uuids as [string, string, string, string];
    await acknowledge([a, b.toUpperCase(), b, a]).expect(204);
    await acknowledge([c], { result: 'REJECTED', message: 'no' }).expect(204);
    expect(await statuses([a, b, c, d])).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED', 'REJECTED', 'AVAILABLE']);
    for (const uuid of [a, b]) expect(await readFacts(context, uuid, 'document.acknowledged')).toHaveLength(1);

    // Repeated with a new one: only that one changes.
    await acknowledge([a, b, d]).expect(204);
    expect(await statuses([a, b, d])).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED', 'ACKNOWLEDGED']);
    for (const uuid of [a, b, d]) expect(await readFacts(context, uuid, 'document.acknowledged')).toHaveLength(1);
    const audited = await context.query<{ details: object; subject_uuid: string | null }>(
      `select details, subject_uuid from audit_log where action = 'transaction.acknowledge' order by uuid`,
    );
    expect(audited).toEqual([
      { subject_uuid: null, details: { result: 'ACCEPTED', transaction_uuids: expect.arrayContaining([a, b]) } },
      { subject_uuid: c, details: { result: 'REJECTED' } },
      { subject_uuid: d, details: { result: 'ACCEPTED' } },
    ]);
  });

  it('changes nothing when one of them cannot be acknowledged', async () => {
    const [good, other] = uuids.slice(10) as [string, string];
    const nowhere = randomUUID();
    const invalidFields = { 'transaction_uuids.1': 'TRANSACTION_NOT_FOUND', 'transaction_uuids.3': 'INVALID_UUID' };
    for (const lang of ['en', 'de'] as const) {
      const answer = await acknowledge([good, nowhere, other, 'x'], { result: 'LATER' }, lang);
      expectError(answer, 422, 'VALIDATION_FAILED', { ...invalidFields, result: 'INVALID_OPTION' }, lang);
    }
    expectError(await acknowledge([good, nowhere]), 422, 'VALIDATION_FAILED', {
      'transaction_uuids.1': 'TRANSACTION_NOT_FOUND',
    });
    expect(await statuses([good, other])).toEqual(['AVAILABLE', 'AVAILABLE']);
  });

  it('rejects transactions of another environment before it validates the rest', async () => {
    const [own] = uuids.slice(10) as [string];
    const ask = (lang: string, body: object) => context.otherClient.request('post', PATH).set('Lang', lang).send(body);
    const body = { transaction_uuids: [randomUUID(), own], result: 'LATER' };
    expectError(await ask('en', body), 403, 'NOT_YOUR_TRANSACTION');
    expectError(await ask('de', body), 403, 'NOT_YOUR_TRANSACTION', {}, 'de');
    expect(await statuses([own])).toEqual(['AVAILABLE']);
  });

  it('applies the token’s narrower scope when one is sent with the key', async () => {
    const [own] = uuids.slice(10) as [string];
    const both = (token: string, uuid: string) => acknowledge([uuid]).set('X-TOKEN', token);
    expectError(await both(context.token, ofOtherIdentity), 403, 'NOT_YOUR_TRANSACTION');
    const mail = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await both(mail, own), 403, 'NOT_ALLOWED_BY_TOKEN');
    await both(context.otherIdentityToken, ofOtherIdentity).expect(204);
  });

  it.each<[string, unknown, string, Record<string, string>]>([
    ['no list', undefined, 'MISSING_REQUIRED_FIELDS', { transaction_uuids: 'REQUIRED' }],
    ['an empty list', [], 'VALIDATION_FAILED', { transaction_uuids: 'TOO_FEW' }],
    ['a single uuid', randomUUID(), 'VALIDATION_FAILED', { transaction_uuids: 'INVALID_TYPE_ARRAY' }],
    ['too many', Array.from({ length: 501 }, randomUUID), 'VALIDATION_FAILED', { transaction_uuids: 'TOO_MANY' }],
    [
      'values that are not text',
      [null, 7, {}],
      'VALIDATION_FAILED',
      {
        'transaction_uuids.0': 'INVALID_UUID',
        'transaction_uuids.1': 'INVALID_UUID',
        'transaction_uuids.2': 'INVALID_UUID',
      },
    ],
  ])('rejects %s', async (_, list, code, invalidFields) => {
    expectError(await acknowledge(list), 422, code, invalidFields);
    expectError(await acknowledge(list, {}, 'de'), 422, code, invalidFields, 'de');
  });

  it('accepts five hundred while others acknowledge the same ones in another order', async () => {
    const connection = await connectionWithDocuments(context, { user: 'many', documents: 500, document_size_kb: 2 });
    const many = await transactionsOf(context, connection);
    expect(many).toHaveLength(500);
    const orders = [many, [...many].reverse(), [...many].sort(() => 0.5 - Math.random())];
    const answers = await Promise.all(orders.map((order) => acknowledge(order)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const [counted] = await context.query<{ events: string; acknowledged: string }>(
      `select (select count(*) from outbox where subject_uuid = $1 and type = 'document.acknowledged') as events,
         (select count(*) from transaction where connection_uuid = $1 and status = 'ACKNOWLEDGED') as acknowledged`,
      [connection],
    );
    expect(counted).toEqual({ events: '500', acknowledged: '500' });
  });
});
