import type { Network } from '../../platform/network/network';
import {
  discardBody,
  type SourceHttpResponse,
  type SourceHttpRequest,
  SourceHttpClient,
  type RequestTarget,
} from '../shared/http/source-http-client';
import type { ServerTrust } from '../core/server-trust';
import { SelectionNotFound, UnexpectedResponse } from '../core/source-errors';
import { classifyResponse, takesBasic } from './dav-errors';
import { digestChallenge, DigestLogin } from './digest-login';
import { readMultistatus, type Resource } from './multistatus';

const WHAT = 'WebDAV';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** How the server wants us to log in. */
type Scheme = 'basic' | DigestLogin;

/**
 * The requests of WebDAV that are needed. The login is sent with each, and to the server's own origin only: Basic (RFC 7617), and
 * Digest (RFC 7616) where a server takes nothing else. Where everybody on the way can read what is sent (http), the server is
 * asked first, and whoever takes Digest never gets the password.
 */
export class DavClient {
  readonly http: SourceHttpClient;

  /** `scheme`: how the server is known to want it; it is asked where that is not known. */
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

  /** Whether the server has been found to take Basic, or was known to. */
  get takesBasic(): boolean {
    return this.scheme === 'basic';
  }

  /** Asks for a resource (depth 0) or for what is in a folder too (depth 1). Throws what `refusal` makes of other answers than 207. */
  async propfind(target: RequestTarget, depth: 0 | 1, body: string): Promise<SourceHttpResponse> {
    const headers = {
      depth: String(depth),
      'content-type': 'application/xml; charset=utf-8',
      accept: 'application/xml, text/xml',
      'accept-encoding': 'identity',
    };
    const answer = await this.send(target, { method: 'PROPFIND', headers, body });
    // What another server tells, where a redirect led, is not what the user wants to be fetched.
    if (answer.status === 207 && answer.isTrusted) return answer;
    await this.http.excerpt(answer);
    throw classifyResponse(answer, `${WHAT} folder`, this.now());
  }

  /** One resource, and where redirects led. Throws `SelectionNotFound` when it is not there. */
  async propfindOne(target: RequestTarget, body: string): Promise<{ resource: Resource; target: RequestTarget }> {
    const answer = await this.propfind(target, 0, body);
    const resources: Resource[] = [];
    for await (const portion of readMultistatus(this.http, answer)) {
      resources.push(...portion);
      if (resources.length > 1)
        throw new UnexpectedResponse(`${WHAT}: an answer of depth 0 with more than one resource.`);
    }
    if (!resources[0]) throw new SelectionNotFound(`${WHAT}: nothing is told about it.`);
    return { resource: resources[0], target: answer.target };
  }

  /** A file's bytes from a position on; the status is the caller's to judge. */
  get(target: RequestTarget, position: number): Promise<SourceHttpResponse> {
    const headers = {
      // As it is stored: with a compressed answer neither length nor position would mean anything.
      'accept-encoding': 'identity',
      ...(position > 0 && { range: `bytes=${position}-` }),
    };
    return this.send(target, { method: 'GET', headers });
  }

  private async send(target: RequestTarget, request: SourceHttpRequest): Promise<SourceHttpResponse> {
    const { scheme } = this;
    const used = scheme ?? (target.origin.startsWith('https:') ? 'basic' : undefined);
    const answer = await this.http.send(target, { ...request, secrets: this.secrets(request, target, used) });
    const next = answer.status === 401 && answer.isTrusted ? this.schemeFor(answer, target, used) : undefined;
    if (!next) return answer;
    await discardBody(answer);
    this.scheme = next;
    return this.http.send(answer.target, { ...request, secrets: this.secrets(request, answer.target, next) });
  }

  /** How to log in after a 401; undefined when there is no other way, or the login was refused. */
  private schemeFor(
    { headers, target }: SourceHttpResponse,
    asked: RequestTarget,
    used: Scheme | undefined,
  ): Scheme | undefined {
    const challenge = digestChallenge(headers['www-authenticate']);
    // Whoever takes Basic has had the password, and refused it.
    if (used === 'basic' && takesBasic(headers)) return undefined;
    // An answer to a challenge holds for one address and one nonce; where both were right, the password was not.
    if (used instanceof DigestLogin && !challenge?.isStale && isSame(asked, target)) return undefined;
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
    // In UTF-8, as every server of today takes it.
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
  }
}

function isSame(a: RequestTarget, b: RequestTarget): boolean {
  return a.origin === b.origin && a.path === b.path;
}
