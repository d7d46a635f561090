import { Readable } from 'node:stream';
import type { Session } from '../../integration';
import { AuthorizationRevoked, ContractBroken, type SourceError, Temporary } from '../../source-errors';
import { drop, type HttpAnswer, HttpSource } from '../http/http-source';
import { LineBroken } from '../walk/read-on';

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
  /** What a refusal of this provider means. Access tokens that it refuses (401) have been dealt with before. */
  classify(refusal: Refusal): SourceError;
  /** The whole `authorization` header, where users give a key of theirs instead of authorising us; its 401 is `classify`'s. */
  readonly authorization?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Speaks with the API of a provider on behalf of one connection. The access token or key goes to the API's own origin alone,
 * and redirects are not followed; one 401 costs a token, two in a row the authorisation. What breaks on the way is `Temporary`.
 */
export class RestClient {
  private readonly http: HttpSource;

  constructor(
    private readonly session: Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>,
    private readonly options: RestOptions,
  ) {
    this.http = new HttpSource(session.network, session.signal, options.provider, false);
  }

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
  async bytes(
    path: string,
    query: Query = {},
  ): Promise<{ stream: Readable; size: number | undefined; mimeType: string }> {
    const first = await this.get(path, query);
    const length = Number(first.headers['content-length']);
    const mimeType = String(first.headers['content-type'] ?? 'application/octet-stream')
      .split(';')[0]!
      .trim();
    return {
      stream: Readable.from(this.read(first, path, query), { objectMode: false }),
      size: Number.isSafeInteger(length) ? length : undefined,
      mimeType,
    };
  }

  private async *read(first: HttpAnswer, path: string, query: Query): AsyncGenerator<Buffer> {
    let position = 0;
    let answer = first;
    for (let tries = TRIES; ;) {
      try {
        for await (const bytes of this.http.bytes(answer)) {
          position += bytes.length;
          tries = TRIES;
          yield bytes;
        }
        return;
      } catch (error) {
        if (!(error instanceof LineBroken) || --tries === 0) throw error;
      }
      answer = await this.get(path, query, position);
      const from = /^bytes (\d+)-/.exec(String(answer.headers['content-range']))?.[1];
      if (position > 0 && (answer.status !== 206 || Number(from) !== position)) {
        answer.body.on('error', () => undefined).destroy(); // it would be the whole again
        throw new Temporary(`${this.options.provider} does not go on where a download was cut off.`);
      }
    }
  }

  /** An answer that is a success. */
  private async get(path: string, query: Query, from = 0): Promise<HttpAnswer> {
    const { authorization: key } = this.options;
    let token = key === undefined ? await this.session.accessToken() : '';
    let answer = await this.send(path, query, key ?? `Bearer ${token}`, from);
    if (answer.status === 401 && key === undefined) {
      await drop(answer);
      token = await this.session.accessToken(token);
      answer = await this.send(path, query, `Bearer ${token}`, from);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    const { status, headers } = answer;
    const body = await this.inMemory(answer);
    if (status === 401 && key === undefined)
      throw new AuthorizationRevoked(`${this.options.provider} refuses a fresh access token.`);
    throw this.options.classify({ status, headers, body });
  }

  private send(path: string, query: Query, authorization: string, from: number): Promise<HttpAnswer> {
    const url = new URL(this.session.apiBaseUrl + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return this.http.send(
      { origin: url.origin, path: url.pathname + url.search },
      {
        method: 'GET',
        headers: { accept: '*/*', ...this.options.headers, ...(from > 0 && { range: `bytes=${from}-` }) },
        secrets: { authorization },
      },
    );
  }

  /** The JSON of a body; null when it is none. */
  private async inMemory(answer: HttpAnswer): Promise<unknown> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.http.bytes(answer)) {
      parts.push(part);
      size += part.length;
      if (size > LARGEST_ANSWER) throw new ContractBroken(`${this.options.provider} answers without end.`);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      return null;
    }
  }
}

/** Seconds that a refusal asks to wait (`Retry-After`, RFC 9110 section 10.2.3), or `otherwise`. */
export function retryAfter({ headers }: Refusal, now: Date, otherwise: number): number {
  const given = String(headers['retry-after'] ?? '').trim();
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : otherwise;
}
