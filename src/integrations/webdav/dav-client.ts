import type { Network } from '../../platform/network/network';
import { type HttpAnswer, HttpSource, type Target } from '../shared/http/http-source';
import { ConfigurationGone, ContractBroken } from '../source-errors';
import { refusal } from './dav-errors';
import { PROPERTIES, readMultistatus, type Resource } from './multistatus';

const WHAT = 'WebDAV';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The requests of WebDAV that are needed. The login is sent with each, and to the server's own origin only. */
export class DavClient {
  readonly http: HttpSource;
  private readonly secrets: { authorization: string };

  constructor(
    network: Network,
    signal: AbortSignal,
    { user, password }: Login,
    readonly now: () => Date,
  ) {
    this.http = new HttpSource(network, signal, WHAT);
    // RFC 7617, in UTF-8 as every server of today takes it.
    this.secrets = { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
  }

  /** Asks for a resource (depth 0) or for what is in a folder too (depth 1). Throws what `refusal` makes of other answers than 207. */
  async propfind(target: Target, depth: 0 | 1, body = PROPERTIES): Promise<HttpAnswer> {
    const headers = {
      depth: String(depth),
      'content-type': 'application/xml; charset=utf-8',
      accept: 'application/xml, text/xml',
      'accept-encoding': 'identity',
    };
    const answer = await this.http.send(target, { method: 'PROPFIND', headers, secrets: this.secrets, body });
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
    return this.http.send(target, { method: 'GET', headers, secrets: this.secrets });
  }
}
