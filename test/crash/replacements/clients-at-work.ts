import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestClient } from '../../harness/app/test-client';
import { type TestEngine, updateFields } from '../../harness/engine/test-engine';
import { sha256 } from '../../interop/imap/mailbox-session';
import type { SeededRandom } from '../campaigns/seeded-random';

const PAUSE_MS = 100;

export interface UsedConnection {
  readonly client: TestClient;
  readonly uuid: string;
}

/** Clients that use the API: they pull documents, change passwords and repeat requests. What they get must always be right. */
export class ClientsAtWork {
  /** The last password of each connection that was changed. */
  readonly passwords = new Map<string, string>();
  /** Documents that were pulled. */
  pulled = 0;
  private isStopping = false;
  private working: Promise<PromiseSettledResult<void>[]> = Promise.resolve([]);

  constructor(
    private readonly engine: TestEngine,
    private readonly connections: readonly UsedConnection[],
    private readonly random: SeededRandom,
  ) {}

  start(): void {
    this.isStopping = false;
    const tasks = [() => this.pull(), () => this.changePassword(), () => this.repeatRequest()];
    this.working = Promise.allSettled(tasks.map((task) => this.loop(task)));
  }

  /** Resolves when no request is under way. @throws the first error of a client */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const result of await this.working) if (result.status === 'rejected') throw result.reason;
  }

  private async loop(task: () => Promise<void>): Promise<void> {
    while (!this.isStopping) {
      await task();
      await pause(PAUSE_MS);
    }
  }

  private oneOf<T>(all: readonly T[]): T {
    return all[this.random.between(0, all.length)]!;
  }

  private async pull(): Promise<void> {
    const { client, uuid } = this.oneOf(this.connections);
    const transaction = this.oneOf(await this.engine.transactions(uuid));
    const answer = await fetch(`${this.engine.app.url}/v1/transactions/${transaction.uuid}/document`, {
      headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
    });
    const received = { status: answer.status, sha256: sha256(Buffer.from(await answer.arrayBuffer())) };
    expect({ ...received, uuid }).toEqual({ status: 200, sha256: transaction.sha256, uuid });
    this.pulled++;
  }

  private async changePassword(): Promise<void> {
    const { client, uuid } = this.oneOf(this.connections);
    const password = randomUUID();
    await updateFields(client, uuid, { password });
    this.passwords.set(uuid, password);
  }

  private async repeatRequest(): Promise<void> {
    const { client } = this.oneOf(this.connections);
    const key = randomUUID();
    const create = () =>
      client.request('post', '/v1/identities').set('Idempotency-Key', key).send({ client_identifier: key }).expect(201);
    const [first, again] = [await create(), await create()];
    expect(again.body).toEqual(first.body);
  }
}
