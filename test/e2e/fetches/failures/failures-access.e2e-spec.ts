import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';

describe('GET /v1/connections/{uuid}/failures (decisions 2 and 9)', () => {
  const context = useSharedContext();
  itChecksConnectionAccess(context, {
    method: 'get',
    path: (uuid) => `/v1/connections/${uuid}/failures`,
    accepts: ['key', 'token'],
  });
});

describe('POST /v1/connections/{uuid}/failures/{failure_uuid}/dismiss (decisions 2 and 9)', () => {
  const context = useSharedContext();
  const path = (connection: string, failure: string) => `/v1/connections/${connection}/failures/${failure}/dismiss`;
  const dismiss = (connection: string, failure: string) => context.client.request('post', path(connection, failure));

  itChecksConnectionAccess(context, {
    method: 'post',
    path: (uuid) => path(uuid, randomUUID()),
    accepts: ['key', 'token'],
  });

  async function failureOf(connection: string): Promise<string> {
    const uuid = v7();
    await context.query(
      `insert into document_failure (uuid, connection_uuid, environment_uuid, dedupe_key, filename, code, version, attempts, failing_since)
       select $1, uuid, environment_uuid, 'key', 'a.pdf', 'DOCUMENT_GONE', '', 1, now() from connection where uuid = $2`,
      [uuid, connection],
    );
    return uuid;
  }

  it('reports every malformed uuid of the path before looking up either', async () => {
    for (const lang of ['en', 'de'] as const) {
      const both = { uuid: 'INVALID_UUID', failure_uuid: 'INVALID_UUID' };
      expectError(await dismiss('x', 'y').set('Lang', lang), 422, 'VALIDATION_FAILED', both, lang);
      const one = { failure_uuid: 'INVALID_UUID' };
      expectError(await dismiss(randomUUID(), 'y').set('Lang', lang), 422, 'VALIDATION_FAILED', one, lang);
    }
  });

  it('answers 404 for a failure that does not exist, or belongs to another connection', async () => {
    const [connection, other] = [await context.createConnection(), await context.createConnection()];
    for (const failure of [randomUUID(), await failureOf(other)]) {
      for (const lang of ['en', 'de'] as const) {
        expectError(await dismiss(connection, failure).set('Lang', lang), 404, 'FAILURE_NOT_FOUND', {}, lang);
      }
    }
  });

  it('are available to the token of the identity, and to one for this connection only', async () => {
    const connection = await context.createConnection();
    for (const token of [
      context.token,
      await context.client.createToken(context.identity, { connection_uuid: connection }),
    ]) {
      const failure = await failureOf(connection);
      await context.client.requestWithToken(token, 'post', path(connection, failure)).expect(204);
      const [row] = await context.query<{ dismissed_at: Date | null }>(
        'select dismissed_at from document_failure where uuid = $1',
        [failure],
      );
      expect(row!.dismissed_at).not.toBeNull();
      await context.query('delete from document_failure where uuid = $1', [failure]);
    }
  });
});
