import type { Network } from '../../platform/network/network';
import { drop, type HttpAnswer, type HttpRequest, HttpSource, type Target } from '../shared/http/http-source';
import { ConfigurationGone, ContractBroken } from '../source-errors';
import { refusal, takesBasic } from './dav-errors';
import { type DigestChallenge, digestChallenge, DigestLogin } from './digest-login';
import { PROPERTIES, readMultistatus, type Resource } from './multistatus';

const WHAT = 'WebDAV';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/**
 * The requests of WebDAV that are needed. The login is sent with each, and to the server's own origin only: Basic (RFC 7617), and
 * Digest (RFC 7616) where a server takes nothing else.
 */
export class DavClient {
  readonly http: HttpSource;
  private digest?: DigestLogin;

  constructor(
    network: Network,
    signal: AbortSignal,
    private readonly login: Login,
    readonly now: () => Date,
  ) {
    this.http = new HttpSource(network, signal, WHAT);
  }

  /** Asks for a resource (depth 0) or for what is in a folder too (depth 1). Throws what `refusal` makes of other answers than 207. */
  async propfind(target: Target, depth: 0 | 1, body = PROPERTIES): Promise<HttpAnswer> {
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
    throw refusal(answer, `${WHAT} folder`, this.now());
  }

  /** One resource, and where redirects led. Throws `ConfigurationGone` when it is not there. */
  async look(target: Target, body?: string): Promise<{ resource: Resource; target: Target }> {
    const answer = await this.propfind(target, 0, body);
    const resources: Resource[] = [];
    for await (const portion of readMultistatus(this.http, answer)) {
      resources.push(...portion);
      if (resources.length > 1) throw new ContractBroken(`${WHAT}: an answer of depth 0 with more than one resource.`);
    }
    if (!resources[0]) throw new ConfigurationGone(`${WHAT}: nothing is told about it.`);
    return { resource: resources[0], target: answer.target };
  }

  /** A file's bytes from a position on; the status is the caller's to judge. */
  get(target: Target, position: number): Promise<HttpAnswer> {
    const headers = {
      // As it is stored: with a compressed answer neither length nor position would mean anything.
      'accept-encoding': 'identity',
      ...(position > 0 && { range: `bytes=${position}-` }),
    };
    return this.send(target, { method: 'GET', headers });
  }
  private async send(target: Target, request: HttpRequest): Promise<HttpAnswer> {
    const { digest } = this;
    const answer = await this.http.send(target, { ...request, secrets: this.secrets(request, target, digest) });
    const challenge = answer.status === 401 && answer.isTrusted ? soleChallenge(answer) : undefined;
    // An answer to a challenge holds for one address and one nonce; where both were right, the password was not.
    const isRefused = digest !== undefined && !challenge?.isStale && isSame(target, answer.target);
    if (!challenge || isRefused) return answer;
    await drop(answer);
    const { user, password } = this.login;
    this.digest = new DigestLogin(challenge, user, password);
    return this.http.send(answer.target, {
      ...request,
      secrets: this.secrets(request, answer.target, this.digest),
    });
  }

  private secrets(
    { method }: HttpRequest,
    { path }: Target,
    digest: DigestLogin | undefined,
  ): { authorization: string } {
    if (digest) return { authorization: digest.header(method, path) };
    const { user, password } = this.login;
    // In UTF-8, as every server of today takes it.
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
  }
}

/** The Digest challenge of a server that does not take Basic. */
function soleChallenge({ headers }: HttpAnswer): DigestChallenge | undefined {
  return takesBasic(headers) ? undefined : digestChallenge(headers['www-authenticate']);
}

function isSame(a: Target, b: Target): boolean {
  return a.origin === b.origin && a.path === b.path;
}
