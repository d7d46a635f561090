import { expectError } from '../../harness/http/expect-error';
import { itChecksTransactionAccess } from '../../harness/http/transaction-access-tests';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { createTransactions, daysUntil, readFacts, getTransaction, transactionsOf } from './transaction-rows';

describe('POST /v1/transactions/{transaction_uuid}/acknowledge (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  let connection: string;
  let uuids: string[];

  const path = (uuid: string) => `/v1/transactions/${uuid}/acknowledge`;
  const acknowledge = (uuid: string, body: object) => context.client.request('post', path(uuid)).send(body);
  const audited = (uuid: string) =>
    context.query(
      `select actor, details from audit_log where action = 'transaction.acknowledge' and subject_uuid = $1 order by uuid`,
      [uuid],
    );

  beforeAll(async () => {
    connection = await connectionWithDocuments(context, { documents: 24 });
    uuids = await transactionsOf(context, connection);
  });

  const next = () => uuids.shift()!;

  itChecksTransactionAccess(context, { method: 'post', path, own: () => uuids.at(-1)! });

  it('records the acknowledgement, and keeps the content for a week from then on', async () => {
    const uuid = next();
    expect(daysUntil(context, (await getTransaction(context, uuid)).document.available_until)).toBeGreaterThan(89);
    const answer = await acknowledge(uuid, { result: 'ACCEPTED' }).expect(204);
    expect(answer.text).toBe('');
    const shown = await getTransaction(context, uuid);
    expect(shown.provisioning).toMatchObject({ status: 'ACKNOWLEDGED', next_attempt_at: null, last_error: null });
    expect(daysUntil(context, shown.document.available_until)).toBeGreaterThan(6.9);
    expect(daysUntil(context, shown.document.available_until)).toBeLessThanOrEqual(7);
    await context.client.request('get', `/v1/transactions/${uuid}/document`).expect(200);
    expect(await readFacts(context, uuid, 'document.acknowledged')).toEqual([
      { transaction_uuid: uuid, result: 'ACCEPTED', message: null },
    ]);
    expect(await audited(uuid)).toEqual([{ actor: expect.stringMatching(/^key:/), details: { result: 'ACCEPTED' } }]);
  });

  it('shows why a document was rejected, with a default message without one of the client', async () => {
    const [withMessage, withoutMessage] = [next(), next()];
    const message = 'Grüße: unknown supplier “Äcme”.';
    await acknowledge(withMessage, { result: 'REJECTED', message }).expect(204);
    await acknowledge(withoutMessage, { result: 'REJECTED', message: null }).expect(204);
    expect((await getTransaction(context, withMessage)).provisioning).toMatchObject({
      status: 'REJECTED',
      last_error: { code: 'REJECTED_BY_CLIENT', status: null, message },
    });
    expect((await getTransaction(context, withoutMessage)).provisioning.last_error).toEqual({
      code: 'REJECTED_BY_CLIENT',
      status: null,
      message: 'The client rejected the document.',
    });
    const german = async (uuid: string) => (await getTransaction(context, uuid, 'de')).provisioning.last_error?.message;
    expect([await german(withMessage), await german(withoutMessage)]).toEqual([
      message,
      'Der Client hat das Dokument abgelehnt.',
    ]);
    expect(await readFacts(context, withMessage, 'document.acknowledged')).toEqual([
      { transaction_uuid: withMessage, result: 'REJECTED', message },
    ]);
    // Entries of the audit log are never deleted, so it does not contain the client's message.
    expect(JSON.stringify(await audited(withMessage))).not.toContain('supplier');
  });

  it.each(['AVAILABLE', 'PENDING', 'FAILED', 'DELIVERED', 'ACKNOWLEDGED', 'REJECTED'])(
    'is accepted for a document with the status %s',
    async (status) => {
      const [taken, refused] = [next(), next()];
      for (const uuid of [taken, refused]) await createTransactions(context, uuid, status);
      await acknowledge(taken, { result: 'ACCEPTED' }).expect(204);
      await acknowledge(refused, { result: 'REJECTED', message: 'no' }).expect(204);
      expect((await getTransaction(context, taken)).provisioning).toMatchObject({
        status: 'ACKNOWLEDGED',
        next_attempt_at: null,
        last_error: null,
      });
      expect((await getTransaction(context, refused)).provisioning).toMatchObject({
        status: 'REJECTED',
        next_attempt_at: null,
        last_error: { code: 'REJECTED_BY_CLIENT', message: 'no' },
      });
    },
  );

  it('changes nothing when repeated, and accepts a later different result', async () => {
    const uuid = next();
    await acknowledge(uuid, { result: 'ACCEPTED' }).expect(204);
    const before = await getTransaction(context, uuid);
    context.app.clock.advance(3600);
    await acknowledge(uuid, { result: 'ACCEPTED' }).expect(204);
    expect(await getTransaction(context, uuid)).toEqual(before);
    expect(await audited(uuid)).toHaveLength(1);
    expect(await readFacts(context, uuid, 'document.acknowledged')).toHaveLength(1);

    for (const [result, message, status] of [
      ['REJECTED', 'first', 'REJECTED'],
      ['REJECTED', 'second', 'REJECTED'],
      ['ACCEPTED', undefined, 'ACKNOWLEDGED'],
    ] as const) {
      await acknowledge(uuid, { result, message }).expect(204);
      const { provisioning } = await getTransaction(context, uuid);
      expect([provisioning.status, provisioning.last_error?.message]).toEqual([status, message]);
    }
    expect(await readFacts(context, uuid, 'document.acknowledged')).toHaveLength(4);
    context.app.clock.advance(-3600);
  });

  it('accepts a later message as well, for an accepted and for a rejected document', async () => {
    for (const result of ['ACCEPTED', 'REJECTED']) {
      const uuid = next();
      for (const message of ['first', 'second', 'second', null, null]) {
        await acknowledge(uuid, { result, message }).expect(204);
      }
      const events = await readFacts(context, uuid, 'document.acknowledged');
      expect(events).toEqual(['first', 'second', null].map((message) => ({ transaction_uuid: uuid, result, message })));
    }
  });

  it.each<[string, object, string, Record<string, string>]>([
    ['an empty body', {}, 'MISSING_REQUIRED_FIELDS', { result: 'REQUIRED' }],
    ['an unknown result', { result: 'MAYBE' }, 'VALIDATION_FAILED', { result: 'INVALID_OPTION' }],
    ['a result in lower case', { result: 'accepted' }, 'VALIDATION_FAILED', { result: 'INVALID_OPTION' }],
    [
      'an unknown property and a long message',
      { result: 'REJECTED', message: 'x'.repeat(1001), reason: 'y' },
      'VALIDATION_FAILED',
      { message: 'TOO_LONG', reason: 'UNKNOWN_PROPERTY' },
    ],
    [
      'a number as message',
      { result: 'REJECTED', message: 7 },
      'VALIDATION_FAILED',
      { message: 'INVALID_TYPE_STRING' },
    ],
    [
      'a null character in the message',
      { result: 'REJECTED', message: 'a\0b' },
      'VALIDATION_FAILED',
      { message: 'INVALID_FORMAT' },
    ],
  ])('rejects %s', async (_, body, code, invalidFields) => {
    const uuid = uuids.at(-1)!;
    const before = await getTransaction(context, uuid);
    expectError(await acknowledge(uuid, body), 422, code, invalidFields);
    expectError(await acknowledge(uuid, body).set('Lang', 'de'), 422, code, invalidFields, 'de');
    expect(await getTransaction(context, uuid)).toEqual(before);
  });

  it('accepts a message of a thousand characters', async () => {
    await acknowledge(next(), { result: 'REJECTED', message: 'ü'.repeat(1000) }).expect(204);
  });
});
