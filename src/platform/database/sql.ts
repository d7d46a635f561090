import { type EntityManager, TransactionContext } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { preparedQuery } from './prepared-statement';

/**
 * Runs one statement with bound parameters (`$1`, `$2`, …) and returns its rows, inside the entity manager's transaction
 * if there is one. For hot reads, set-based writes and bytes; timestamps are returned as text in PostgreSQL's format.
 */
export async function sql<Row>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await run<Row>(em, text, parameters)).rows;
}

/**
 * Like {@link sql}, for a fixed statement that runs frequently: every connection keeps it prepared, so that it is parsed and
 * planned once ({@link preparedQuery}). Only for the few statements that nearly every request or fetch runs.
 */
export async function prepared<Row extends object>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const transaction = transactionOf(em);
  const pool = await em.getConnection().getNativeClient();
  const query = preparedQuery(pool, text, parameters);
  if (!transaction) return (await pool.query<Row>(query)).rows;
  // Kysely passes on to `pg` what it takes for a text, so the name comes with it.
  const named = query as unknown as string;
  return (await transaction.executeQuery<Row>(CompiledQuery.raw(named, [...parameters]))).rows;
}

/** Like {@link sql}, but returns the number of rows that the statement changed. */
export async function affected(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<number> {
  return Number((await run(em, text, parameters)).numAffectedRows ?? 0n);
}

/** Like {@link affected}, in a transaction whose entity manager is not available. */
export async function affectedIn(
  transaction: Kysely<unknown>,
  text: string,
  parameters: readonly unknown[],
): Promise<number> {
  const { numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
  return Number(numAffectedRows ?? 0n);
}

async function run<Row>(em: EntityManager, text: string, parameters: readonly unknown[]) {
  const kysely = transactionOf(em) ?? em.getConnection().getClient();
  return kysely.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

/**
 * The transaction of an entity manager. The injected one can only be in one of `transactional`; `getTransactionContext` would
 * make the request's own entity manager, to which no statement of this file belongs.
 */
function transactionOf(em: EntityManager): Kysely<unknown> | undefined {
  const current = em.global ? TransactionContext.getEntityManager(em.name) : em;
  return current?.getTransactionContext<Kysely<unknown>>();
}

/** Parses a timestamp of {@link sql} and {@link prepared}. */
export const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/**
 * Text of a source (subjects, names, ids) as PostgreSQL accepts it: without null characters, and with U+FFFD in place of lone
 * surrogates, so that one malformed mail cannot stop a fetch.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** JSON text for a `jsonb` parameter, in which every text is a {@link storableText}. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? storableText(item) : item));
}

/** The name of the violated unique constraint, or null when the error is another one. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' ? (constraint ?? '') : null;
}
