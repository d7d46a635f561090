import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { isAddressNotAllowed } from '../../../platform/network/network';
import type { Session } from '../../integration';
import { AuthorizationRevoked, ContractBroken, SourceError, Temporary } from '../../source-errors';

/** More than this is no answer that is made to be held in memory. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
/** How often a download goes on after the line broke; counted anew whenever bytes have come. */
const TRIES = 3;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** An answer that is no success, with as much of its body as may be told apart. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body when it is JSON; null otherwise. */
  readonly body: unknown;
}

export interface RestOptions {
  /** For messages. */
  readonly provider: string;
  /** What a refusal of this provider means. 401 has been dealt with before. */
  classify(refusal: Refusal): SourceError;
}

type Answer = Dispatcher.ResponseData;

/**
 * Speaks with the API of a provider on behalf of one connection. The access token goes to the API's own origin alone, and
 * redirects are not followed; one 401 costs a token, two in a row the authorisation. What breaks on the way is `Temporary`.
 */
export class RestClient {
  constructor(
    private readonly session: Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>,
    private readonly options: RestOptions,
  ) {}

  /** The answer to a GET. @throws what `classify` says, AuthorizationRevoked, Temporary, ContractBroken, the signal's reason */
  async json<T>(path: string, query: Query = {}): Promise<T> {
    const answer = await this.get(path, query);
    const body = await this.inMemory(answer);
    if (body === null || typeof body !== 'object') {
      throw new ContractBroken(`${this.options.provider} answers something else than JSON to ${path}.`);
    }
    return body as T;
  }

  /**
   * The bytes of a GET. A line that breaks, and a token that ends in the middle, are mended by asking for the rest; that it is
   * the rest of the same bytes is for the reader to check.
   */
  async bytes(path: string, query: Query = {}): Promise<{ stream: Readable; size: number | undefined; mimeType: string }> {
    const first = await this.get(path, query);
    const length = Number(first.headers['content-length']);
    const mimeType = String(first.headers['content-type'] ?? 'application/octet-stream').split(';')[0]!.trim();
    return {
      stream: Readable.from(this.read(first, path, query), { objectMode: false }),
      size: Number.isSafeInteger(length) ? length : undefined,
      mimeType,
    };
  }

  private async *read(first: Answer, path: string, query: Query): AsyncGenerator<Buffer> {
    let position = 0;
    let answer = first;
    for (let tries = TRIES; ;) {
      try {
        for await (const bytes of answer.body) {
          position += (bytes as Buffer).length;
          tries = TRIES;
          yield bytes as Buffer;
        }
        return;
      } catch (error) {
        this.session.signal.throwIfAborted();
        if (--tries === 0) throw this.broken(error);
      }
      answer = await this.get(path, query, position);
      const from = /^bytes (\d+)-/.exec(String(answer.headers['content-range']))?.[1];
      if (position > 0 && (answer.statusCode !== 206 || Number(from) !== position)) {
        answer.body.on('error', () => undefined).destroy();
        throw new Temporary(`${this.options.provider} does not go on where a download was cut off.`);
      }
    }
  }

  /** An answer that is a success. */
  private async get(path: string, query: Query, from = 0): Promise<Answer> {
    let token = await this.session.accessToken();
    let answer = await this.send(path, query, token, from);
    if (answer.statusCode === 401) {
      await answer.body.dump();
      token = await this.session.accessToken(token);
      answer = await this.send(path, query, token, from);
    }
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    const { statusCode: status, headers } = answer;
    const body = await this.inMemory(answer);
    if (status === 401) throw new AuthorizationRevoked(`${this.options.provider} refuses a fresh access token.`);
    throw this.options.classify({ status, headers, body });
  }

  private async send(path: string, query: Query, token: string, from: number): Promise<Answer> {
    const url = new URL(this.session.apiBaseUrl + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    try {
      return await request(url, {
        dispatcher: this.session.network.dispatcher,
        signal: this.session.signal,
        headers: {
          authorization: `Bearer ${token}`,
          accept: '*/*',
          'user-agent': 'docfetch',
          ...(from > 0 && { range: `bytes=${from}-` }),
        },
      });
    } catch (error) {
      this.session.signal.throwIfAborted();
      throw this.broken(error);
    }
  }

  /** The JSON of a body; null when it is none. */
  private async inMemory({ body }: Answer): Promise<unknown> {
    const parts: Buffer[] = [];
    let size = 0;
    try {
      for await (const part of body) {
        parts.push(part as Buffer);
        size += (part as Buffer).length;
        if (size > LARGEST_ANSWER) throw new ContractBroken(`${this.options.provider} answers without end.`);
      }
    } catch (error) {
      this.session.signal.throwIfAborted();
      throw this.broken(error);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      return null;
    }
  }

  private broken(error: unknown): unknown {
    if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
    const { code } = (error ?? {}) as { code?: unknown };
    const says = typeof code === 'string' ? ` (${code})` : '';
    return new Temporary(`The line to ${this.options.provider} broke${says}.`, { cause: error });
  }
}

/** Seconds that a refusal asks to wait (`Retry-After`, RFC 9110 section 10.2.3), or `otherwise`. */
export function retryAfter({ headers }: Refusal, now: Date, otherwise: number): number {
  const given = String(headers['retry-after'] ?? '').trim();
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : otherwise;
}
