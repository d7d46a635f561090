import { v7 as uuid } from 'uuid';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

type Body = Record<string, unknown>;

const SCENARIO = { scenario: 'provider_down' };
const DOCUMENTS = { count: 2, format: 'PDF', external_id: true };

describe('POST /v1/sandbox/connections/{uuid}/scenario and …/documents', () => {
  const context = useTestContext();
  const path = (connection: string, command: string) => `/v1/sandbox/connections/${connection}/${command}`;
  const place = (connection: string, body: Body) =>
    context.client.request('post', path(connection, 'documents')).send(body);

  describe('without valid credentials', () => {
    itRequiresAuthentication(context, { method: 'post', path: () => path(uuid(), 'scenario'), accepts: ['key'] });
  });

  it.each([
    ['scenario', SCENARIO],
    ['documents', DOCUMENTS],
  ])('%s is rejected in the order of the contract', async (command, good) => {
    const send = (client: TestClient, connection: string, body: Body) =>
      client.request('post', path(connection, command)).send(body);
    const live = await createTestClient(context.app, { environment: { kind: 'LIVE' } });
    const own = await context.createConnection();
    expectError(await send(live, 'no-uuid', {}), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
    expectError(await send(live, uuid(), {}), 404, 'CONNECTION_NOT_FOUND');
    expectError(await send(live, own, {}), 403, 'NOT_YOUR_CONNECTION');
    expectError(await send(context.otherClient, own, {}), 403, 'NOT_YOUR_CONNECTION');

    const missing = Object.fromEntries(Object.keys(good).map((field) => [field, 'REQUIRED']));
    // A live environment has connections with real providers only.
    const real = await context.createConnection();
    await context.query(`update connection set integration_id = 'stripe' where uuid = $1`, [real]);
    expectError(await send(context.client, real, {}), 422, 'MISSING_REQUIRED_FIELDS', missing);
    expectError(await send(context.client, real, good), 422, 'SANDBOX_ONLY');
    expectError(await send(context.client, real, good).set('Lang', 'de'), 422, 'SANDBOX_ONLY', {}, 'de');
    const kind = (to: string) =>
      context.query('update environment set kind = $2 where uuid = $1', [context.client.environmentUuid, to]);
    await kind('LIVE');
    expectError(await send(context.client, real, {}), 422, 'MISSING_REQUIRED_FIELDS', missing);
    expectError(await send(context.client, own, good), 422, 'TEST_ENVIRONMENT_ONLY');
    await kind('TEST');
  });

  it('accepts only the scenarios of the field', async () => {
    const connection = await context.createConnection();
    const answer = await context.client
      .request('post', path(connection, 'scenario'))
      .send({ scenario: 'on_fire', more: 1 });
    expectError(answer, 422, 'VALIDATION_FAILED', { more: 'UNKNOWN_PROPERTY', scenario: 'INVALID_OPTION' });
    const { body } = await context.client.request('get', '/v1/integrations/sandbox').expect(200);
    const fields = (body as { data: { step1_fields: { id: string; options: { value: string }[] }[] } }).data
      .step1_fields;
    for (const { value } of fields.find(({ id }) => id === 'scenario')!.options) {
      await context.client.request('post', path(connection, 'scenario')).send({ scenario: value }).expect(204);
      const shown = await context.client.request('get', `/v1/connections/${connection}`).expect(200);
      expect((shown.body as { data: { fields: Body } }).data.fields).toMatchObject({ scenario: value });
    }
  });

  it.each<[Body, string[]]>([
    [{}, ['count', 'external_id', 'format']],
    [{ ...DOCUMENTS, count: 0 }, ['count']],
    [{ ...DOCUMENTS, count: 101 }, ['count']],
    [{ ...DOCUMENTS, count: 1.5 }, ['count']],
    [{ ...DOCUMENTS, format: 'DOCX' }, ['format']],
    [{ ...DOCUMENTS, external_id: 'yes' }, ['external_id']],
    [{ ...DOCUMENTS, document_type: 'novel' }, ['document_type']],
    [{ ...DOCUMENTS, document_type: null }, ['document_type']],
    [{ ...DOCUMENTS, format: 'HYBRID', document_type: 'contract' }, ['document_type']],
    [{ ...DOCUMENTS, format: 'XML', document_type: 'receipt', count: 0 }, ['count', 'document_type']],
  ])('reports the errors in %j and places nothing', async (body, fields) => {
    const connection = await context.createConnection();
    const answer = await place(connection, body);
    expect(answer.status).toBe(422);
    expect((answer.body as { errors: { field: string }[] }).errors.map(({ field }) => field).sort()).toEqual(fields);
    expect(
      await context.query('select 1 from sandbox_document_batch where connection_uuid = $1', [connection]),
    ).toEqual([]);
  });

  it('returns the placed documents and their location, once for an Idempotency-Key', async () => {
    const connection = await context.createConnection();
    const send = () =>
      place(connection, { count: 2, format: 'XML', document_type: 'credit_note', external_id: false })
        .set('Idempotency-Key', `place-${connection}`)
        .expect(202);
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(first.headers.location).toBe(`/v1/transactions?connection_uuid=${connection}`);
    const { documents } = (first.body as { data: { documents: Body[] } }).data;
    expect(documents).toHaveLength(2);
    expect(documents[0]).toMatchObject({ document_type: 'credit_note', external_id: null });
    expect(documents[0]!.filename).toMatch(/^GS-\d{4}-P00001\.xml$/);
    expect(
      await context.query('select count from sandbox_document_batch where connection_uuid = $1', [connection]),
    ).toEqual([{ count: 2 }]);
  });

  it('records both in the audit log', async () => {
    const connection = await context.createConnection();
    await context.client.request('post', path(connection, 'scenario')).send(SCENARIO).expect(204);
    await place(connection, DOCUMENTS).expect(202);
    const rows = await context.query<{ action: string; details: Body }>(
      'select action, details from audit_log where subject_uuid = $1 order by uuid offset 1',
      [connection],
    );
    expect(rows).toEqual([
      { action: 'connection.set-scenario', details: { scenario: 'provider_down' } },
      { action: 'connection.place-documents', details: { count: 2, format: 'PDF', documentType: 'invoice' } },
    ]);
  });
});
