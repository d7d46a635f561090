import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Documents of a connection. */
export const DOCUMENTS = 20;
const RETRY_MS = 1_000;
const TIMEOUT_MS = 30_000;

/** A client that creates connections of the sandbox all the time, and repeats each request until it succeeds. */
export class Client {
  readonly connections: string[] = [];
  /** The answers of all requests: status and code, with their number. */
  readonly answers = new Map<string, number>();
  private running: Promise<void> | undefined;
  private stopped = false;
  private identity = '';
  private lastAnswer = '';

  constructor(
    private readonly base: string,
    private readonly apiKey: string,
    private readonly say: (line: string) => void,
  ) {}

  /** Documents that have to be delivered, once all fetches have ended. */
  get expected(): number {
    return this.connections.length * DOCUMENTS;
  }

  async begin(everyMs: number): Promise<void> {
    this.stopped = false;
    if (this.identity === '') {
      const body = { client_identifier: 'customer-1', display_name: 'Customer', type: 'COMPANY' };
      this.identity = (await this.until(201, 'POST', '/v1/identities', body)).identity_uuid!;
    }
    this.running = this.createConnections(everyMs);
  }

  /** Stops when the request in progress has succeeded. */
  async end(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  async get<T>(path: string): Promise<T> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${this.base}${path}`, { headers: { 'x-api-key': this.apiKey }, signal });
    return (await response.json()) as T;
  }

  private async createConnections(everyMs: number): Promise<void> {
    while (!this.stopped) {
      this.connections.push(await this.connect());
      await pause(everyMs);
    }
  }

  /** Both steps of the setup, as a backend and its user do them. */
  private async connect(): Promise<string> {
    const fields = { user: `user-${randomUUID()}`, password: 'secret', documents: DOCUMENTS, new_per_fetch: 0 };
    const connection = { integration_id: 'sandbox', name: 'Portal', identity_uuid: this.identity, fields };
    const uuid = (await this.until(201, 'POST', '/v1/connections', connection)).uuid!;
    const session = { identity_uuid: this.identity, return_url: `${this.base}/` };
    const { token } = await this.until(201, 'POST', '/token', session);
    await this.until(204, 'PUT', `/v1/connections/${uuid}/step2`, { fields: {} }, { 'x-token': token! });
    return uuid;
  }

  /** Repeats the request until it has the status. */
  private async until(
    expected: number,
    method: string,
    path: string,
    body: object,
    credential: Record<string, string> = { 'x-api-key': this.apiKey },
  ): Promise<Record<string, string>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...credential };
    const request = { method, headers, body: JSON.stringify(body) };
    for (;;) {
      const { status, answer } = await this.send(path, request);
      this.count(
        status < 300 && status > 0 ? 'success' : `${status || ''} ${String(answer.code ?? answer.error)}`.trim(),
      );
      if (status === expected) return (answer.data ?? answer) as Record<string, string>;
      await pause(RETRY_MS);
    }
  }

  private async send(path: string, request: RequestInit): Promise<{ status: number; answer: Record<string, unknown> }> {
    try {
      const response = await fetch(`${this.base}${path}`, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      return { status: response.status, answer: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } };
      return { status: 0, answer: { error: name === 'TimeoutError' ? 'no answer' : (cause?.code ?? message) } };
    }
  }

  private count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    if (answer !== this.lastAnswer) this.say(`requests of the client: ${answer}`);
    this.lastAnswer = answer;
  }
}
