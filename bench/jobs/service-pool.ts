import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Service } from '../harness/processes/service';
import type { Usage } from '../harness/processes/usage';

/** After this time a statement that a worker sent before its suspension has ended, and an open transaction shows. */
const STATEMENT_MS = 200;

/** Worker processes of which a part runs: the others are suspended, so that their code stays compiled. */
export class ServicePool implements AsyncDisposable {
  private readonly services: Service[] = [];
  private running = 0;

  constructor(private readonly client: Client) {}

  /** Adds a worker, which runs until `run` says otherwise. */
  add(service: Service): void {
    this.services.push(service);
    this.running = this.services.length;
  }

  /** The processor time of those that run. */
  get usages(): Usage[] {
    return this.services.slice(0, this.running).map(({ usage }) => usage);
  }

  /** Lets the first `count` workers run and suspends the others, none of them in a transaction, whose locks would stay. */
  async run(count: number): Promise<void> {
    this.running = count;
    do {
      for (const { child } of this.services) child.signal('SIGCONT');
      await pause(STATEMENT_MS);
      for (const { child } of this.services.slice(count)) child.signal('SIGSTOP');
      await pause(STATEMENT_MS);
    } while (await this.hasOpenTransaction());
  }

  private async hasOpenTransaction(): Promise<boolean> {
    const { rows } = await this.client.query<{ open: boolean }>(
      `select exists (select from pg_stat_activity where state like 'idle in transaction%') as open`,
    );
    return rows[0]!.open;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(this.services.length);
    await Promise.all(this.services.map((service) => service[Symbol.asyncDispose]()));
  }
}
