import type { Network } from '../../platform/network/network';
import { type HttpAnswer, HttpSource, type Target } from '../shared/http/http-source';
import { codeOf, objectRefusal, refusal } from './s3-errors';
import { type Keys, signedHeaders } from './sign';

export interface Place {
  /** Absent: Amazon S3. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Where the bucket's name stands: `path` or `host`. */
  readonly addressing: string;
}

/** The requests of S3 that are needed, on one bucket, each with a signature of its own. Redirects are not followed: they tell of another region. */
export class S3Client {
  readonly http: HttpSource;
  private region: string;

  constructor(
    network: Network,
    signal: AbortSignal,
    private readonly place: Place,
    private readonly keys: Keys,
    readonly now: () => Date,
  ) {
    this.http = new HttpSource(network, signal, 'S3', false);
    this.region = place.region;
  }

  /** The host that is spoken to, with its port where it is not the usual one. */
  get host(): string {
    return new URL(this.target('').origin).host;
  }

  /** A listing of the bucket. Throws what `refusal` makes of other answers than 200. */
  async list(query: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const answer = await this.get('', query);
    if (answer.status === 200) return answer;
    throw refusal(answer, codeOf(await this.http.excerpt(answer)), this.now());
  }

  /** An object's bytes, from a position on. Throws what `objectRefusal` makes of other answers than 200 and 206. */
  async open(key: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const answer = await this.get(`/${escapePath(key)}`, {}, headers);
    if (answer.status === 200 || answer.status === 206) return answer;
    throw objectRefusal(answer, codeOf(await this.http.excerpt(answer)), this.now());
  }

  /** A bucket that proves to be in another region is asked there, from then on. */
  private async get(
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    const answer = await this.send(path, query, headers);
    const region = answer.headers['x-amz-bucket-region'];
    const isElsewhere = typeof region === 'string' && /^[a-z0-9-]{1,64}$/.test(region) && region !== this.region;
    if (![301, 307, 400].includes(answer.status) || !isElsewhere) return answer;
    await this.http.excerpt(answer);
    this.region = region;
    return this.send(path, query, headers);
  }

  private async send(
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer> {
    const target = this.target(path, query);
    const plain = { 'accept-encoding': 'identity', ...headers };
    const signed = await signedHeaders(target, plain, this.region, this.keys, this.now());
    return this.http.send(target, { method: 'GET', headers: plain, secrets: signed });
  }

  private target(path: string, query: Readonly<Record<string, string>> = {}): Target {
    const { endpoint, bucket, addressing } = this.place;
    const base = new URL(endpoint ?? `https://s3.${this.region}.amazonaws.com`);
    const root = base.pathname.replace(/\/+$/, '');
    const search = Object.entries(query)
      .map(([name, value]) => `${name}=${escape(value)}`)
      .join('&');
    const suffix = search === '' ? '' : `?${search}`;
    if (addressing !== 'host') return { origin: base.origin, path: `${root}/${bucket}${path}${suffix}` };
    const origin = base.origin.replace('://', `://${bucket}.`);
    return { origin, path: `${root}${path === '' ? '/' : path}${suffix}` };
  }
}

/** An object's key as it stands in a path: nothing in it means anything but itself. */
function escapePath(key: string): string {
  return key.split('/').map(escape).join('/');
}

/** As RFC 3986 has it, and signatures want it. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
