import { Client } from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The SQL that this process runs while the work lasts. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = [];
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function record(this: Client, ...args: unknown[]): unknown {
    const [first, second] = args;
    const config = typeof first === 'object' && first !== null ? (first as Partial<Statement>) : {};
    const text = typeof first === 'string' ? first : config.text;
    if (text) found.push({ text, values: Array.isArray(second) ? (second as unknown[]) : (config.values ?? []) });
    return query.apply(this, args);
  } as typeof Client.prototype.query;
  try {
    await work();
  } finally {
    Client.prototype.query = query as typeof Client.prototype.query;
  }
  return found;
}
