import { parse } from 'pg-connection-string';
import type { DefinedValues } from './read-defined-values';

/** How a connection pooler shares the connections of the database. */
export type Pooler = NonNullable<DefinedValues['databasePooler']>;

/** Parameters of a database URL that become settings of the session, at the start of a connection. */
const SESSION_PARAMETERS = ['options', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** Adds a line to `problems` for each contradiction between `DATABASE_POOLER`, `DATABASE_URL` and `DATABASE_DIRECT_URL`. */
export function checkPooler(
  { databasePooler, databaseUrl, databaseDirectUrl }: DefinedValues,
  problems: string[],
): void {
  if (databasePooler === null) {
    if (databaseDirectUrl !== null)
      problems.push(
        'DATABASE_DIRECT_URL is only for DATABASE_POOLER: without a pooler, DATABASE_URL is the direct address',
      );
    return;
  }
  if (databaseUrl === null) {
    if (!problems.some((problem) => problem.startsWith('DATABASE_URL ')))
      problems.push('DATABASE_POOLER needs DATABASE_URL, the address of the pooler: the embedded database has none');
    return;
  }
  rejectSessionParameters('DATABASE_URL', databaseUrl, problems);
}

/** The same for `DATABASE_REPLICA_URL`, which may be the address of a pooler too. */
export function checkReplica(
  { databaseReplicaUrl, databaseUrl, databasePooler }: DefinedValues,
  problems: string[],
): void {
  if (databaseReplicaUrl === null) return;
  if (databaseUrl === null) {
    if (!problems.some((problem) => problem.startsWith('DATABASE_URL ')))
      problems.push('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica');
    return;
  }
  if (databasePooler !== null) rejectSessionParameters('DATABASE_REPLICA_URL', databaseReplicaUrl, problems);
}

function rejectSessionParameters(variable: string, url: string, problems: string[]): void {
  const given = parse(url) as unknown as Record<string, unknown>;
  for (const name of SESSION_PARAMETERS.filter((parameter) => given[parameter] !== undefined)) {
    problems.push(
      `${variable} must not contain ${name} with DATABASE_POOLER: set it with "alter role … set …" instead`,
    );
  }
}
