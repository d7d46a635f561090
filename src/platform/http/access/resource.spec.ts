import type { EntityManager } from '@mikro-orm/postgresql';
import { Conditions } from '../../database/conditions';
import type { Caller } from './access.decorator';
import { assertAccess, defineResource, findWithAccess } from './resource';
import { isWithinTokenScope, whereWithinTokenScope } from './token-scope';

const KEY = { environmentUuid: 'e', identityUuid: null, onlyConnectionUuid: null, onlyIntegrationId: null };
const TOKEN = { ...KEY, identityUuid: 'i' };
const OF_CONNECTION = { ...TOKEN, onlyConnectionUuid: 'c' };
const OF_INTEGRATION = { ...TOKEN, onlyIntegrationId: 'imap' };
const OWNER = { environmentUuid: 'e', identityUuid: 'i', connectionUuid: 'c', integrationId: 'imap' };
const UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

const CODES = { parameter: { name: 'uuid', description: 'It.' }, notFound: 'EVENT_NOT_FOUND' } as const;
const errorCode = (work: () => void) => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('access to a resource (spec 5 rule 5, decisions 3)', () => {
  const OF = { belongsTo: 'connection', notYours: 'NOT_YOUR_TRANSACTION' } as const;

  it.each([
    ['a key', KEY, {}, null],
    ['a key of another environment', { ...KEY, environmentUuid: 'x' }, {}, 'NOT_YOUR_TRANSACTION'],
    ['the token of the identity', TOKEN, {}, null],
    ['the token of another identity', { ...TOKEN, identityUuid: 'x' }, {}, 'NOT_YOUR_TRANSACTION'],
    ['a token restricted to the connection', OF_CONNECTION, {}, null],
    ['a token restricted to another connection', OF_CONNECTION, { connectionUuid: 'x' }, 'NOT_ALLOWED_BY_TOKEN'],
    ['a token restricted to the integration', OF_INTEGRATION, {}, null],
    ['a token restricted to another integration', OF_INTEGRATION, { integrationId: 'sftp' }, 'NOT_ALLOWED_BY_TOKEN'],
    ['a restricted token of another identity', OF_CONNECTION, { identityUuid: 'x' }, 'NOT_YOUR_TRANSACTION'],
  ])('of a connection: %s', (_, caller, owner, code) => {
    expect(errorCode(() => assertAccess(OF, caller as Caller, { ...OWNER, ...owner }))).toBe(code);
  });

  it.each([
    ['a key', KEY, null],
    ['a key of another environment', { ...KEY, environmentUuid: 'x' }, 'NOT_YOUR_EVENT'],
    ['a token', TOKEN, 'NOT_ALLOWED_BY_TOKEN'],
    ['a token of another environment', { ...TOKEN, environmentUuid: 'x' }, 'NOT_YOUR_EVENT'],
  ])('of the environment: %s', (_, caller, code) => {
    const type = { belongsTo: 'environment', notYours: 'NOT_YOUR_EVENT' } as const;
    expect(errorCode(() => assertAccess(type, caller as Caller, { environmentUuid: 'e' }))).toBe(code);
  });

  it('does not look for what is not a uuid, and does not find a resource whose owner was deleted', async () => {
    const find = jest.fn((_: EntityManager, uuid: string) => Promise.resolve({ uuid }));
    const type = defineResource({
      ...CODES,
      notYours: 'NOT_YOUR_EVENT',
      belongsTo: 'environment',
      find,
      ownerOf: () => Promise.resolve(undefined),
    });
    const findResource = (uuid: unknown) => findWithAccess(undefined as never, type, KEY as unknown as Caller, uuid);
    expect(await findResource('letmein')).toBeUndefined();
    expect(await findResource(7)).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
    expect(await findResource(UUID)).toBeNull();
    expect(find).toHaveBeenCalledTimes(1);
  });
});

describe('the scope of a restricted token (decisions 3)', () => {
  it.each([
    [KEY, { connectionUuid: null, integrationId: null }, true],
    [OF_CONNECTION, { connectionUuid: 'c' }, true],
    [OF_CONNECTION, { connectionUuid: null }, false],
    [OF_CONNECTION, { integrationId: 'sftp' }, true],
    [OF_INTEGRATION, { integrationId: 'imap' }, true],
    [OF_INTEGRATION, { integrationId: null }, false],
    [OF_INTEGRATION, { connectionUuid: null, integrationId: 'sftp' }, false],
  ])('of %j: %j is %s', (scope, target, within) => {
    expect(isWithinTokenScope(scope, target)).toBe(within);
  });

  it('limits lists to the same', () => {
    const where = (scope: typeof OF_CONNECTION | typeof OF_INTEGRATION | typeof KEY) => {
      const conditions = new Conditions();
      whereWithinTokenScope(conditions, scope, { connection: 'uuid', integration: 'integration_id' });
      return [conditions.text, conditions.parameters];
    };
    expect(where(KEY)).toEqual(['', []]);
    expect(where(OF_CONNECTION)).toEqual(['where uuid = $1', ['c']]);
    expect(where(OF_INTEGRATION)).toEqual(['where integration_id = $1', ['imap']]);
  });
});
