import type { Socket } from 'node:net';
import { type Dispatcher, MockAgent } from 'undici';
import type { Destination, Network } from '../../../platform/network/network';
import type { RecordedAnswer, RecordedExchange, RecordedRequest } from './cassette';
import { placeholderOf } from './redact/placeholder-documents';

/** Finds the answer to a request; null when the cassette has no such request. */
export type FindAnswer = (request: RecordedRequest) => RecordedAnswer | null;

/** Every request gets the next answer, whatever it asks for. */
export function inOrder(answers: readonly RecordedAnswer[]): FindAnswer {
  let next = 0;
  return () => answers[next++] ?? null;
}

/** A request gets the answers that it got when it was recorded, one after the other, and then the last one again. */
export function byRequest(exchanges: readonly RecordedExchange[]): FindAnswer {
  const answers = new Map<string, RecordedAnswer[]>();
  for (const { request, answer } of exchanges) {
    const key = keyOf(request);
    answers.set(key, [...(answers.get(key) ?? []), answer]);
  }
  return (request) => {
    const waiting = answers.get(keyOf(request)) ?? [];
    return (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? null;
  };
}

const keyOf = ({ method, url, headers = {}, body }: RecordedRequest): string =>
  JSON.stringify([method, url, Object.entries(headers).sort(), body ?? null]);

/** A network that answers from recorded answers and reaches nothing else. */
export class ReplayingNetwork implements Network {
  readonly dispatcher: Dispatcher;
  readonly requests: RecordedRequest[] = [];
  /** The first request without an answer. */
  missing: RecordedRequest | undefined;

  /**
   * @param apiBaseUrl the address of the API, below which addresses are relative
   * @param stated the headers of requests that the file states, in lower case. All others are left out: credentials are among them
   */
  constructor(
    private readonly find: FindAnswer,
    private readonly apiBaseUrl: string,
    private readonly stated: readonly string[],
  ) {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent
      .get(/.*/)
      .intercept({ path: () => true, method: () => true })
      .reply((options) => this.reply(options as Dispatcher.DispatchOptions))
      .persist();
    this.dispatcher = agent;
  }

  dispatcherVerifying(): Dispatcher {
    return this.dispatcher;
  }

  resolve(host: string): Promise<Destination> {
    return Promise.reject(new Error(`A replay does not resolve ${host}.`));
  }

  connect(host: string): Promise<Socket> {
    return Promise.reject(new Error(`A replay does not connect to ${host}.`));
  }

  private reply(options: Dispatcher.DispatchOptions) {
    const request = this.requestOf(options);
    this.requests.push(request);
    const answer = this.find(request);
    if (!answer) {
      this.missing ??= request;
      throw Object.assign(new Error('The cassette has no such request.'), { code: 'NOT_RECORDED' });
    }
    const data = bodyOf(answer);
    const headers = { ...answer.headers, 'content-length': String(data.length) };
    return { statusCode: answer.status, data, responseOptions: { headers } };
  }

  private requestOf({ origin, path, method, headers, body }: Dispatcher.DispatchOptions): RecordedRequest {
    const url = `${String(origin)}${path}`;
    const isBelowApi = url.startsWith(this.apiBaseUrl) && /^[/?]/.test(url.slice(this.apiBaseUrl.length));
    const own = Object.entries((headers ?? {}) as Record<string, string>)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => this.stated.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      method,
      url: isBelowApi ? url.slice(this.apiBaseUrl.length) : url,
      ...(own.length > 0 && { headers: Object.fromEntries(own) }),
      ...(typeof body === 'string' && { body: JSON.parse(body) as unknown }),
    };
  }
}

function bodyOf({ json, document }: RecordedAnswer): Buffer {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return document ? placeholderOf(document) : Buffer.alloc(0);
}
