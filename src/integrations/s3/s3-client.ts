import type { Network } from '../../platform/network/network';
import {
  type BucketAddress,
  errorCodeOf,
  configuredAddress,
  type BucketLocation,
  correctedAddress,
} from '../../platform/storage/bucket-address';
import type { AccessKeys } from '../../platform/storage/access-keys';
import { signedHeaders } from '../../platform/storage/sign-request';
import type { RequestTarget } from '../shared/http/redirects';
import { discardBody, type SourceHttpResponse, SourceHttpClient } from '../shared/http/source-http-client';
import type { ServerTrust } from '../core/server-trust';
import { DocumentUnavailable, Transient } from '../core/source-errors';
import { classifyObjectResponse, classifyResponse, WrongSignature } from './s3-errors';

/** Maximum region corrections per request: first that of the host, then that of the bucket. */
const MAX_REGION_CHANGES = 2;

/** The signed S3 requests on one bucket. Redirects are not followed, but indicate another region. */
export class S3Client {
  readonly http: SourceHttpClient;
  private readonly given: BucketAddress;
  private address: BucketAddress;

  constructor(
    network: Network,
    signal: AbortSignal,
    private readonly place: BucketLocation,
    private readonly keys: AccessKeys,
    readonly now: () => Date,
    trust: ServerTrust,
  ) {
    this.http = new SourceHttpClient(network, signal, 'S3', false, trust);
    this.given = this.address = configuredAddress(place);
  }

  /** The host that the user has named, with a non-default port; independent of the bucket's actual region. */
  get host(): string {
    return new URL((this.place.endpoint === undefined ? this.address : this.given).origin).host;
  }

  /** Lists the bucket. Throws the error of `classifyResponse` for other statuses than 200. */
  async list(query: Readonly<Record<string, string>>): Promise<SourceHttpResponse> {
    const response = this.get(({ path }) => path + queryOf(query), {}, classifyResponse);
    if (query.prefix === '') return response;
    return this.checkSignature(response, () => new Transient('S3: the signature is refused for one folder only.'));
  }

  /** Reads an object from a position on. Throws the error of `classifyObjectResponse` for other statuses than 200 and 206. */
  async open(key: string, headers: Readonly<Record<string, string>>): Promise<SourceHttpResponse> {
    const response = this.get(({ objects }) => objects + escapePath(key), headers, classifyObjectResponse);
    return this.checkSignature(
      response,
      () => new DocumentUnavailable('S3: the signature is refused for one object only.', false),
    );
  }

  /** A rejected signature means a wrong secret only when the bucket itself rejects it, too; otherwise throws the error of `own`. */
  private async checkSignature<T>(response: Promise<T>, own: () => Error): Promise<T> {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof WrongSignature)) throw error;
      await discardBody(await this.list({ 'list-type': '2', prefix: '', 'max-keys': '1' }));
      throw own();
    }
  }

  /** Sends a request. Corrects the region permanently when the bucket is in another one, and retries a rejected signature once. */
  private async get(
    pathIn: (address: BucketAddress) => string,
    headers: Readonly<Record<string, string>>,
    refused: typeof classifyResponse,
  ): Promise<SourceHttpResponse> {
    let isRetried = false;
    for (let regionChanges = 0; ;) {
      const { address } = this;
      const answer = await this.send({ origin: address.origin, path: pathIn(address) }, address.region, headers);
      if (answer.status === 200 || answer.status === 206) return answer;
      const body = await this.http.excerpt(answer);
      const redirected = regionChanges++ < MAX_REGION_CHANGES ? correctedAddress(this.place, answer, body) : undefined;
      // Compares with the requested address, because concurrent requests may have corrected the region already.
      if (redirected && !isSame(redirected, address)) {
        this.address = redirected;
        continue;
      }
      const error = refused(answer, errorCodeOf(body), this.now());
      if (isRetried || !(error instanceof WrongSignature)) throw error;
      isRetried = true;
    }
  }

  private async send(
    target: RequestTarget,
    region: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<SourceHttpResponse> {
    const plain = { 'accept-encoding': 'identity', ...headers };
    const signed = await signedHeaders({ method: 'GET', ...target }, plain, region, this.keys, this.now());
    return this.http.send(target, { method: 'GET', headers: plain, secrets: signed });
  }
}

function queryOf(query: Readonly<Record<string, string>>): string {
  const named = Object.entries(query).map(([name, value]) => `${name}=${escape(value)}`);
  return `?${named.join('&')}`;
}

function isSame(one: BucketAddress, other: BucketAddress): boolean {
  return one.origin === other.origin && one.region === other.region;
}

/** Escapes an object's key for a path. */
function escapePath(key: string): string {
  return key.split('/').map(escape).join('/');
}

/** Escapes according to RFC 3986, as signatures require. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
