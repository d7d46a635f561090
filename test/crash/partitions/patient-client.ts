import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Response, Test } from 'supertest';
import type { TestClient } from '../../harness/app/test-client';

/** A client gives up a request after this time, and repeats it. */
const REQUEST_MS = 10_000;
const PAUSE_MS = 500;
/** No fault lasts longer. */
const PATIENCE_MS = 15 * 60_000;

/**
 * Repeats each request until it is answered by something else than the lack of a database, as the documentation asks of clients: a
 * POST with the same `Idempotency-Key`.
 */
export function patient(client: TestClient): TestClient {
  return {
    ...client,
    // Commands of the model only send a body, expect a status and await the answer.
    request: (method, path) =>
      new PatientRequest(
        () => client.request(method, path),
        method === 'post' ? randomUUID() : null,
      ) as unknown as Test,
  };
}

class PatientRequest implements PromiseLike<Response> {
  private body: object | undefined;
  private expected: number | undefined;

  constructor(
    private readonly create: () => Test,
    private readonly key: string | null,
  ) {}

  send(body: object): this {
    this.body = body;
    return this;
  }

  expect(status: number): this {
    this.expected = status;
    return this;
  }

  then<Done, Failed>(
    done?: ((answer: Response) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.answer().then(done, failed);
  }

  private async answer(): Promise<Response> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.once().catch(() => null);
      if (answer && !isPassing(answer)) {
        // Committed, but its answer was lost with the connection to the database (decisions 1).
        const isDone = this.key !== null && codeOf(answer) === 'IDEMPOTENCY_KEY_REUSED';
        if (this.expected !== undefined && !isDone)
          expect([answer.status, answer.text]).toEqual([this.expected, answer.text]);
        return answer;
      }
      if (performance.now() > until) throw new Error(`The last answer was ${answer?.status}: ${answer?.text}`);
      await pause(PAUSE_MS);
    }
  }

  private async once(): Promise<Response> {
    const request = this.create().timeout(REQUEST_MS);
    if (this.key !== null) request.set('Idempotency-Key', this.key);
    return this.body === undefined ? request : request.send(this.body);
  }
}

const codeOf = ({ body }: Response): unknown => (body as { code?: unknown }).code;

/** The database is away, or an earlier request with this key has not ended yet. */
const isPassing = (answer: Response): boolean =>
  (answer.status === 500 && codeOf(answer) === 'TEMPORARILY_UNAVAILABLE') ||
  codeOf(answer) === 'IDEMPOTENCY_IN_PROGRESS';
