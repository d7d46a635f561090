import { randomUUID } from 'node:crypto';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { countTextOccurrences } from '../../../harness/app/find-occurrences';

describe('DELETE /v1/connections/{uuid} (spec 4.4, decisions 4)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/connections/${uuid}`;

  itChecksConnectionAccess(context, { method: 'delete', path, accepts: ['key', 'token'] });

  it.each(['key', 'token'])('deletes with everything that belongs to it, by %s', async (by) => {
    const uuid = await context.createActiveConnection({
      user: randomUUID(),
      documents: 3,
      scenario: 'broken_document',
    });
    await eventually(async () => {
      const { body } = await context.client.request('get', path(uuid));
      return body.data.last_fetch?.status === 'PARTIAL';
    }, 'two of three documents are fetched');
    const contents = await context.query<{ content_uuid: string; uuid: string }>(
      'select content_uuid, uuid from transaction where connection_uuid = $1',
      [uuid],
    );
    expect(contents).toHaveLength(2);
    expect(await countTextOccurrences(context, uuid)).toMatchObject({
      connection: 1,
      data_key: 1,
      content: 2,
      transaction: 2,
      fetch: 1,
      fetch_failure: 1,
    });

    const answer =
      by === 'key'
        ? await context.client.request('delete', path(uuid))
        : await context.client.requestWithToken(context.token, 'delete', path(uuid));
    expect([answer.status, answer.text]).toEqual([204, '']);

    // The append-only log records only its creation and deletion.
    expect(await countTextOccurrences(context, uuid)).toEqual({ audit_log: 3 });
    for (const { content_uuid, uuid: transaction } of contents) {
      expect(await countTextOccurrences(context, content_uuid)).toEqual({});
      expectError(await context.client.request('get', `/v1/transactions/${transaction}`), 404, 'TRANSACTION_NOT_FOUND');
    }
    expectError(await context.client.request('get', path(uuid)), 404, 'CONNECTION_NOT_FOUND');
    const log = await context.query('select action from audit_log where subject_uuid = $1 order by uuid', [uuid]);
    expect(log.map(({ action }) => action)).toEqual([
      'connection.create',
      'connection.save-step2',
      'connection.delete',
    ]);
  });

  it('deletes a connection once under concurrent deletions', async () => {
    const uuid = await context.createConnection();
    const answers = await Promise.all(Array.from({ length: 4 }, () => context.client.request('delete', path(uuid))));
    expect(answers.every(({ status }) => status === 204 || status === 404)).toBe(true);
    expect(await countTextOccurrences(context, uuid)).toHaveProperty('audit_log', 2);
  });

  it.each([
    ['disable', {}],
    ['enable', {}],
    ['step2', { fields: {} }],
    ['', { name: 'New' }],
    ['', { fields: { documents: 1 } }],
  ])('answers 404 to a change (/%s) that waited for the deletion', async (what, body) => {
    const uuid = await context.createConnection();
    await context.query('begin');
    await context.query('delete from connection where uuid = $1', [uuid]);
    const change = context.client
      .requestWithToken(context.token, 'put', `${path(uuid)}/${what}`)
      .send(body)
      .then((sent) => sent);
    await eventually(async () => {
      const waiting = await context.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    }, 'the change waits');
    await context.query('commit');
    expectError(await change, 404, 'CONNECTION_NOT_FOUND');
  });

  it('deletes a disabled and an unfinished connection', async () => {
    const uuid = await context.createConnection();
    await context.client.request('put', `${path(uuid)}/disable`).expect(204);
    await context.client.request('delete', path(uuid)).expect(204);
  });

  it('does not affect other connections of the identity', async () => {
    const [gone, stays] = [await context.createConnection(), await context.createConnection()];
    await context.client.request('delete', path(gone)).expect(204);
    await context.client.request('get', path(stays)).expect(200);
  });
});
