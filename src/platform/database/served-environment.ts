import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import { type EnvironmentFence, environmentFenced } from '../errors/environment-fence';
import { RequestScope } from '../request/request-scope';
import { sql } from './sql';

/**
 * A transaction that a client or the support team waits for holds this lock of its environment, shared, until it ends. Fencing an
 * environment takes it exclusively: no change that the export could miss is confirmed to a client afterwards.
 */
const lock = (environment: string, kind: '' | '_shared') =>
  `select pg_advisory_xact_lock${kind}(hashtextextended('served:${environment}', 0))`;

const fenceOf = (environment: string) => `select fence from environment where uuid = '${environment}'`;

/** Statements for the begin of a transaction: the lock, and the row that {@link refusalOf} reads. In two, as the second has to see what was committed before the lock. */
export function lockStatements(environmentUuid: string): string[] {
  const environment = assertUuid(environmentUuid);
  return [lock(environment, '_shared'), fenceOf(environment)];
}

/** Why the environment of this row must not be changed, or null. */
export const refusalOf = (row: { readonly fence: EnvironmentFence | null } | undefined): Error | null =>
  row?.fence ? environmentFenced(row.fence) : null;

/**
 * Keeps the environment from being fenced until the caller's transaction ends. The transactions of a request of this environment have
 * done so in their BEGIN (`guardTransactions`).
 * @throws ApiError 500 `ENVIRONMENT_MOVING` or `ENVIRONMENT_MOVED` when it is fenced
 */
export async function lockServed(em: EntityManager, environmentUuid: string): Promise<void> {
  const scope = RequestScope.get();
  if (scope?.environmentUuid === environmentUuid) return;
  await lockNow(em, environmentUuid);
  scope?.otherEnvironments.add(environmentUuid);
}

async function lockNow(em: EntityManager, environmentUuid: string): Promise<void> {
  const environment = assertUuid(environmentUuid);
  await sql(em, lock(environment, '_shared'));
  const [row] = await sql<{ fence: EnvironmentFence | null }>(em, fenceOf(environment));
  const refusal = refusalOf(row);
  if (refusal) throw refusal;
}

/** Locks like {@link lockServed}, for a request that has no credential and learns its environment only now; for its later transactions too. */
export async function serveRequest(em: EntityManager, environmentUuid: string): Promise<void> {
  const scope = RequestScope.get();
  if (scope) scope.environmentUuid = environmentUuid;
  await lockNow(em, environmentUuid);
}

/** Waits until no transaction holds {@link lockServed}, and keeps others from beginning until the caller's transaction ends. */
export async function lockExclusively(em: EntityManager, environmentUuid: string): Promise<void> {
  await sql(em, lock(assertUuid(environmentUuid), ''));
}

/** It becomes part of a statement: several statements in one message have no parameters. */
export function assertUuid(uuid: string): string {
  if (!isUuid(uuid)) throw new Error('An environment is named by a uuid.');
  return uuid;
}
