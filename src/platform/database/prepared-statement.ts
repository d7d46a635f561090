import type { EntityManager } from '@mikro-orm/postgresql';
import { hash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/** The connection pool of the ORM. */
export type Pool = Awaited<ReturnType<ReturnType<EntityManager['getConnection']>['getNativeClient']>>;

const poolsWithoutNames = new WeakSet<Pool>();

/**
 * From now on, statements on the connections of this pool have no names: a pooler in transaction mode executes each transaction
 * in another session of the database, which does not know what earlier ones have prepared (decisions 8).
 */
export function disableNamedStatements(pool: Pool): void {
  poolsWithoutNames.add(pool);
}

/**
 * A fixed statement for `query` of this pool or of one of its clients. Every connection keeps it prepared, so that it is parsed
 * and planned once, unless a pooler forbids it. The only way to a named statement: ESLint rejects others in `src/`. Texts that
 * contain values would fill the database's memory.
 */
export function preparedQuery(pool: Pool, text: string, values: readonly unknown[] = []): QueryConfig<unknown[]> {
  return { name: statementName(pool, text), text, values: [...values] };
}

const names = new Map<string, string>();

/** The name of a fixed prepared statement in the protocol; empty for an unnamed one, which is parsed for every execution. */
export function statementName(pool: Pool, text: string): string {
  if (poolsWithoutNames.has(pool)) return '';
  const known = names.get(text);
  if (known) return known;
  const name = `docfetch_${hash('sha256', text, 'base64url')}`;
  names.set(text, name);
  return name;
}
