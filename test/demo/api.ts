import { DemoFailure } from './display';

const TIMEOUT_MS = 20_000;

interface ErrorBody {
  readonly code?: string;
  readonly detail?: string;
  readonly request_id?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** The public API, as a client's backend or the hosted UI calls it. */
export class Api {
  constructor(
    private readonly base: string,
    private readonly credential: Readonly<Record<string, string>>,
  ) {}

  /** Returns the `data` of the response, or the whole body without `data`. Rejects with the API's error for an unexpected status. */
  async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, expected: number, body?: object): Promise<T> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { ...this.credential, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new DemoFailure(`${method} ${path} got no answer: ${message}`);
    });
    const text = await response.text();
    if (response.status !== expected) throw unexpected(`${method} ${path}`, response.status, expected, text);
    const answer = (text ? JSON.parse(text) : {}) as { data?: T };
    return answer.data ?? (answer as T);
  }
}

function unexpected(request: string, status: number, expected: number, text: string): DemoFailure {
  const body: ErrorBody = text.startsWith('{') ? (JSON.parse(text) as ErrorBody) : {};
  return new DemoFailure(`${request} answered ${status} instead of ${expected}: ${body.code ?? text.slice(0, 200)}`, [
    ...(body.detail ? [body.detail] : []),
    ...(body.errors ?? []).map(({ field, message }) => `${field}: ${message}`),
    ...(body.request_id ? [`Request id in the log: ${body.request_id}`] : []),
  ]);
}
