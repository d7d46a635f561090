import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { hash } from 'node:crypto';

/**
 * Runs one statement with bound parameters (`$1`, `$2`, …) and returns its rows, inside the entity manager's transaction
 * when it has one. For hot reads, set-based writes and bytes; timestamps come back as text in PostgreSQL's format.
 */
export async function sql<Row>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await run<Row>(em, text, parameters)).rows;
}

/**
 * As {@link sql}, for a fixed statement that runs all the time: every connection keeps it prepared, so that it is parsed and
 * planned once. For the few statements of hot reads; a text of its own for each value would fill the database's memory.
 */
export async function prepared<Row extends object>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  if (em.isInTransaction()) return sql(em, text, parameters);
  const pool = await em.getConnection().getNativeClient();
  return (await pool.query<Row>({ name: statementName(text), text, values: [...parameters] })).rows;
}

const names = new Map<string, string>();

/** By which every connection keeps a fixed statement prepared. */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `docfetch_${hash('sha256', text, 'base64url')}`;
  names.set(text, name);
  return name;
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

/** A timestamp as {@link sql} and {@link prepared} give it. */
export const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/**
 * Text of a source (subjects, names, ids) as PostgreSQL accepts it: without null characters, and with U+FFFD in place of half
 * surrogate pairs, so that one odd mail cannot stop a fetch.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** JSON text for a `jsonb` parameter, in which every text is a {@link storableText}. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? storableText(item) : item));
}

/** The id of a row that a unique constraint kept out, or null when the error is another one. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' ? (constraint ?? '') : null;
}
