import { Client } from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

let recorded: Statement[] | null = null;

// Patched when this file is loaded, because connections keep the method that exists when they are opened.
const query = Client.prototype.query as (...args: unknown[]) => unknown;
Client.prototype.query = function record(this: Client, ...args: unknown[]): unknown {
  const [first, second] = args;
  const config = typeof first === 'object' && first !== null ? (first as Partial<Statement>) : {};
  const text = typeof first === 'string' ? first : config.text;
  if (text) recorded?.push({ text, values: Array.isArray(second) ? (second as unknown[]) : (config.values ?? []) });
  return query.apply(this, args);
} as typeof Client.prototype.query;

/** The SQL that this process runs while the work lasts, on connections opened after this file was loaded. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = (recorded = []);
  try {
    await work();
  } finally {
    recorded = null;
  }
  return found;
}
