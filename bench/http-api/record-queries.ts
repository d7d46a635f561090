import { Client } from 'pg';

// Loaded into the service before anything else (`--require`): reports on request the SQL of a request.

/** One statement with its bound values. */
export interface Statement {
  /** The name of the prepared statement, if the service prepares it. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

let recorded: Statement[] | null = null;
const query = Client.prototype.query as (...args: unknown[]) => unknown;

Client.prototype.query = function record(this: Client, ...args: unknown[]): unknown {
  if (recorded) {
    const [first, second] = args;
    const config = typeof first === 'object' && first !== null ? (first as Partial<Statement>) : {};
    const text = typeof first === 'string' ? first : config.text;
    const values = Array.isArray(second) ? (second as unknown[]) : (config.values ?? []);
    if (text) recorded.push({ text, values, ...(config.name && { name: config.name }) });
  }
  return query.apply(this, args);
} as typeof Client.prototype.query;

process.on('message', (message: { record?: boolean }) => {
  if (message.record) {
    recorded = [];
    process.send!('recording');
  } else if (message.record === false) {
    process.send!(recorded ?? []);
    recorded = null;
  }
});
