import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

/**
 * Runs one statement with bound parameters (`$1`, `$2`, …) and returns its rows, inside the entity manager's transaction
 * when it has one. For hot reads, set-based writes and bytes; timestamps come back as text in PostgreSQL's format.
 */
export async function sql<Row>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await run<Row>(em, text, parameters)).rows;
}

/** As {@link sql}, for the number of rows that the statement changed. */
export async function affected(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<number> {
  return Number((await run(em, text, parameters)).numAffectedRows ?? 0n);
}

/** As {@link affected}, in a transaction that is at hand without its entity manager. */
export async function affectedIn(
  transaction: Kysely<unknown>,
  text: string,
  parameters: readonly unknown[],
): Promise<number> {
  const { numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
  return Number(numAffectedRows ?? 0n);
}

async function run<Row>(em: EntityManager, text: string, parameters: readonly unknown[]) {
  const kysely = em.getTransactionContext<Kysely<unknown>>() ?? em.getConnection().getClient();
  return kysely.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

/**
 * JSON text for a `jsonb` parameter. What strangers wrote (subjects, names) may hold what PostgreSQL refuses, null
 * characters and half surrogate pairs: they are taken out, so that one odd mail cannot stop a fetch.
 */
export function jsonb(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' ? item.replaceAll('\0', '').toWellFormed() : item,
  );
}

/** The id of a row that a unique constraint kept out, or null when the error is another one. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' ? (constraint ?? '') : null;
}
