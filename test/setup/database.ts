import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Set by the setup of the run and inherited by every worker. */
export const ADMIN_URL = 'DOCFETCH_TEST_ADMIN_URL';
export const RUN_ID = 'DOCFETCH_TEST_RUN';

/** The prefix of all database names of this run. */
export function runPrefix(): string {
  return `docfetch_test_${given(RUN_ID)}_`;
}

/**
 * The database of this Jest worker, created on first use and shared by all its test files. Not migrated; contains the data
 * that the worker's earlier test files have left.
 */
export async function testDatabaseUrl(): Promise<string> {
  return createDatabase(workerDatabase());
}

/** Creates an empty database for a test that needs its own. Dropped at the end of the run. */
export async function emptyDatabaseUrl(): Promise<string> {
  return createDatabase(`${workerDatabase()}_${randomBytes(5).toString('hex')}`);
}

/** Creates a database with the current schema: a copy of the template that the setup migrated. */
export async function migratedDatabaseUrl(): Promise<string> {
  return createDatabase(`${workerDatabase()}_${randomBytes(5).toString('hex')}`, templateDatabase());
}

/** The template database, migrated once per run. */
export async function templateDatabaseUrl(): Promise<string> {
  return createDatabase(templateDatabase());
}

function templateDatabase(): string {
  return `${runPrefix()}template`;
}

function workerDatabase(): string {
  return `${runPrefix()}w${process.env.JEST_WORKER_ID ?? '1'}`;
}

async function createDatabase(name: string, template?: string): Promise<string> {
  const client = new Client({ connectionString: given(ADMIN_URL) });
  await client.connect();
  try {
    // Released with the session. Without the lock, two concurrent callers would both find the database missing.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${name} ${template ? `template ${template}` : ''}`);
  } finally {
    await client.end();
  }
  const url = new URL(given(ADMIN_URL));
  url.pathname = `/${name}`;
  return url.href;
}

function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: only tests of the project "e2e" have a database.`);
  return value;
}
