import type { Network } from '../../../platform/network/network';
import type { RequestTarget } from '../../shared/http/redirects';
import {
  discardBody,
  type SourceHttpResponse,
  type SourceHttpRequest,
  SourceHttpClient,
} from '../../shared/http/source-http-client';
import type { ServerTrust } from '../../core/server-trust';
import { SelectionNotFound, UnexpectedResponse } from '../../core/source-errors';
import { classifyResponse, takesBasic } from './dav-errors';
import { digestChallenge, DigestLogin } from './digest-login';
import { readMultistatus, type Resource } from './multistatus';

const WHAT = 'WebDAV';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The authentication scheme of the server. */
type Scheme = 'basic' | DigestLogin;

/**
 * The used WebDAV requests. Credentials are sent with each, to the server's own origin only: Basic (RFC 7617), or Digest (RFC 7616)
 * if the server accepts nothing else. Over http, which can be intercepted, the supported schemes are requested first, and a server
 * with Digest never receives the password.
 */
export class DavClient {
  readonly http: SourceHttpClient;

  /** `scheme`: the server's scheme, if known; otherwise it is requested. */
  constructor(
    network: Network,
    signal: AbortSignal,
    private readonly login: Login,
    readonly now: () => Date,
    trust: ServerTrust,
    private scheme?: Scheme,
  ) {
    this.http = new SourceHttpClient(network, signal, WHAT, true, trust);
  }

  /** Whether the server is known to accept Basic. */
  get takesBasic(): boolean {
    return this.scheme === 'basic';
  }

  /**
   * Requests the properties of a resource (depth 0), or also of a folder's entries (depth 1). Throws the error of
   * `classifyResponse` for other statuses than 207.
   */
  async propfind(target: RequestTarget, depth: 0 | 1, body: string): Promise<SourceHttpResponse> {
    const headers = {
      depth: String(depth),
      'content-type': 'application/xml; charset=utf-8',
      accept: 'application/xml, text/xml',
      'accept-encoding': 'identity',
    };
    const response = await this.send(target, { method: 'PROPFIND', headers, body });
    // A response of another server after a redirect is not what the user has connected.
    if (response.status === 207 && response.isTrusted) return response;
    await this.http.excerpt(response);
    throw classifyResponse(response, `${WHAT} folder`, this.now());
  }

  /** The properties of one resource, and the target after redirects. Throws `SelectionNotFound` when it does not exist. */
  async propfindOne(target: RequestTarget, body: string): Promise<{ resource: Resource; target: RequestTarget }> {
    const response = await this.propfind(target, 0, body);
    const resources: Resource[] = [];
    for await (const portion of readMultistatus(this.http, response)) {
      resources.push(...portion);
      if (resources.length > 1)
        throw new UnexpectedResponse(`${WHAT}: a response of depth 0 with more than one resource.`);
    }
    if (!resources[0]) throw new SelectionNotFound(`${WHAT}: the response contains no resource.`);
    return { resource: resources[0], target: response.target };
  }

  /** Requests a file from a position on; the caller has to check the status. */
  get(target: RequestTarget, position: number): Promise<SourceHttpResponse> {
    const headers = {
      // Uncompressed, so that length and position refer to the stored file.
      'accept-encoding': 'identity',
      ...(position > 0 && { range: `bytes=${position}-` }),
    };
    return this.send(target, { method: 'GET', headers });
  }

  private async send(target: RequestTarget, request: SourceHttpRequest): Promise<SourceHttpResponse> {
    const { scheme } = this;
    const used = scheme ?? (target.origin.startsWith('https:') ? 'basic' : undefined);
    const response = await this.http.send(target, { ...request, secrets: this.secrets(request, target, used) });
    const next = response.status === 401 && response.isTrusted ? this.schemeFor(response, target, used) : undefined;
    if (!next) return response;
    await discardBody(response);
    this.scheme = next;
    return this.http.send(response.target, { ...request, secrets: this.secrets(request, response.target, next) });
  }

  /** The scheme to use after a 401; undefined when there is no other one, or the credentials were rejected. */
  private schemeFor(
    { headers, target }: SourceHttpResponse,
    requested: RequestTarget,
    used: Scheme | undefined,
  ): Scheme | undefined {
    const challenge = digestChallenge(headers['www-authenticate']);
    // The server accepts Basic and has rejected the password.
    if (used === 'basic' && takesBasic(headers)) return undefined;
    // A Digest response is valid for one address and nonce; when both were right, the password was wrong.
    if (used instanceof DigestLogin && !challenge?.isStale && isSame(requested, target)) return undefined;
    const { user, password } = this.login;
    if (challenge) return new DigestLogin(challenge, user, password);
    return takesBasic(headers) ? 'basic' : undefined;
  }

  private secrets(
    { method }: SourceHttpRequest,
    { path }: RequestTarget,
    scheme: Scheme | undefined,
  ): { authorization: string } | undefined {
    if (scheme === undefined) return undefined;
    if (scheme !== 'basic') return { authorization: scheme.header(method, path) };
    const { user, password } = this.login;
    // In UTF-8, which all current servers accept.
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
  }
}

function isSame(a: RequestTarget, b: RequestTarget): boolean {
  return a.origin === b.origin && a.path === b.path;
}
