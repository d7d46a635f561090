import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { KEY_SCOPES } from '../../../../src/platform/http/access/key-scope';
import type { TestContext } from '../../../harness/app/test-context';
import { consoleOf, signIn } from '../../../harness/http/console-session';

type Headers = Readonly<Record<string, string>>;
type Security = readonly Readonly<Record<string, unknown>>[];
type Named = readonly (readonly [name: string, headers: Headers])[];

/** Keys of the environment with limits, and what was derived from them. */
export interface LimitedCredentials {
  /** What a route accepts, of a key that has every scope but one. */
  without(scope: string, accepted: Security): Named;
  /** What a route accepts, of a key that has all scopes and is limited to other addresses. Tokens are for browsers anywhere. */
  elsewhere(accepted: Security): Named;
}

export async function limitedCredentials(context: TestContext): Promise<LimitedCredentials> {
  const keys = context.app.app.get(ManageKeys, { strict: false });
  const { environmentUuid } = context.client;
  /** A token and a session are made before the limits are set: they are those of the key at the time of the request. */
  const withLimits = async (column: 'scopes' | 'allowed_ips', value: readonly string[]) => {
    const { key, record } = await keys.issue('test', environmentUuid, null);
    const headers = { 'X-API-KEY': key };
    const token = await context.client
      .request('post', '/v1/token')
      .set(headers)
      .send({ identity_uuid: context.identity, return_url: 'https://app.example.com/back' })
      .expect(201);
    const session = consoleOf(context.app, await signIn(context.app, { api_key: key }));
    await context.query(`update api_key set ${column} = $2 where uuid = $1`, [record.uuid, value]);
    const byToken = { 'X-TOKEN': (token.body as { data: { token: string } }).data.token };
    return { 'X-API-KEY': headers, 'X-TOKEN': byToken, ConsoleSession: session.headers };
  };
  const lacking = new Map(
    await Promise.all(
      KEY_SCOPES.map(
        async (scope) =>
          [
            scope as string,
            await withLimits(
              'scopes',
              KEY_SCOPES.filter((one) => one !== scope),
            ),
          ] as const,
      ),
    ),
  );
  const elsewhere = await withLimits('allowed_ips', ['203.0.113.0/24', '2001:db8::/32']);
  const accepted = (all: Readonly<Record<string, Headers>>, security: Security): Named =>
    Object.entries(all).filter(([name]) => security.some((schemes) => name in schemes || isForKeys(name, schemes)));
  return {
    without: (scope, security) => accepted(lacking.get(scope)!, security),
    elsewhere: (security) => accepted(elsewhere, security).filter(([name]) => name !== 'X-TOKEN'),
  };
}

/** A session has access wherever a key has. */
const isForKeys = (name: string, schemes: Readonly<Record<string, unknown>>): boolean =>
  name === 'ConsoleSession' && 'X-API-KEY' in schemes;
