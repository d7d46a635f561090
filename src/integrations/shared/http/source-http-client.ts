import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isAddressNotAllowed, type Network } from '../../../platform/network/network';
import { CertificateCheck, withCertificateCheck } from '../trust/certificate-check';
import { type ServerAddress, ServerTrust } from '../../core/server-trust';
import { SelectionNotFound, SourceError } from '../../core/source-errors';
import { Unreachable } from '../reachability/unreachable-code';
import { ConnectionLost } from '../tree-sync/files/resumable-read';
import { TlsRequirementDetector } from './tls-requirement-detector';

/** Where a request goes. The path is percent-encoded, with its query, and sent as it is: no `..` in it is resolved. */
export interface RequestTarget {
  /** `https://host:port`, without the port where it is the usual one. */
  readonly origin: string;
  readonly path: string;
}

export interface SourceHttpRequest {
  readonly method: 'GET' | 'POST' | 'PROPFIND';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the target's own origin only, however a redirect leads. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer whose body has to be read (`bytes`, `excerpt`) or dropped (`drop`), else its connection stays busy. */
export interface SourceHttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where redirects have led. */
  readonly target: RequestTarget;
  /** Whether the secrets were sent there. */
  readonly isTrusted: boolean;
  readonly body: Dispatcher.ResponseData['body'];
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 307, 308]);
/** No answer has to be understood beyond its first bytes when it is a refusal. */
const EXCERPT_BYTES = 64 * 1024;

/** HTTP as connectors speak it: through the network guard, with redirects followed and secrets kept from where they lead. */
export class SourceHttpClient {
  private verifyingConnections?: Dispatcher;
  private readonly tlsRequirement: TlsRequirementDetector;

  constructor(
    private readonly network: Network,
    private readonly signal: AbortSignal,
    /** For messages: `WebDAV`. */
    readonly label: string,
    private readonly followsRedirects = true,
    private readonly trust = ServerTrust.NONE,
  ) {
    this.tlsRequirement = new TlsRequirementDetector(network, signal);
  }

  /** To be called when the session ends. */
  async close(): Promise<void> {
    await this.verifyingConnections?.destroy();
  }

  /**
   * Sends a request that may be repeated without harm. Throws `AddressNotAllowed`, `Transient` (`TLS_REQUIRED` when the server
   * that was asked by http lets nobody in without encryption), `SelectionNotFound` for a redirect that leads nowhere, or where
   * the network guard lets nobody go, or the signal's reason; statuses are the caller's to judge.
   */
  async send(target: RequestTarget, { secrets = {}, ...request }: SourceHttpRequest): Promise<SourceHttpResponse> {
    let at = target;
    let isTrusted = true;
    for (let redirects = 0; ; redirects++) {
      const headers = { 'user-agent': 'Docfetch', ...request.headers, ...(isTrusted ? secrets : {}) };
      const {
        statusCode,
        headers: responseHeaders,
        body,
      } = await this.exchange(at, { ...request, headers }).catch((error) => {
        // What was asked for is refused by the guard with everything else there; where a redirect leads is its own affair.
        if (redirects === 0 || !isAddressNotAllowed(error)) throw error;
        throw new SelectionNotFound(`${this.label}: a redirect to an address that is not allowed.`, { cause: error });
      });
      const response: SourceHttpResponse = {
        status: statusCode,
        headers: responseHeaders,
        target: at,
        isTrusted,
        body,
      };
      if (isTrusted && !this.isUpgraded(response) && (await this.tlsRequirement.detectFromResponse(response))) {
        await discardBody(response);
        throw this.tlsRequired();
      }
      if (!this.followsRedirects || !REDIRECT_STATUSES.has(statusCode)) return response;
      const next = this.redirectTarget(at, responseHeaders.location);
      await discardBody(response);
      if (redirects === MAX_REDIRECTS) throw new SelectionNotFound(`${this.label}: too many redirects.`);
      // Never trusted again: who sent us there may not send us back with what we know.
      isTrusted &&= next.origin === at.origin || isUpgrade(at.origin, next.origin);
      at = next;
    }
  }

  /** The answer's bytes. Throws `ConnectionLost` when they end early, or the signal's reason. */
  async *bytes({ body }: SourceHttpResponse): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      this.signal.throwIfAborted();
      throw new ConnectionLost(`${this.label}: the answer broke off (${codeOf(error)}).`, { cause: error });
    }
  }

  /** The beginning of a refusal, as text. Empty when it breaks off. */
  async excerpt(response: SourceHttpResponse): Promise<string> {
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const bytes of this.bytes(response)) {
        parts.push(bytes);
        length += bytes.length;
        if (length >= EXCERPT_BYTES) break;
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
    return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8');
  }

  private async exchange(
    { origin, path }: RequestTarget,
    options: SourceHttpRequest,
  ): Promise<Dispatcher.ResponseData> {
    this.signal.throwIfAborted();
    const send = (dispatcher: Dispatcher) => dispatcher.request({ origin, path, ...options, signal: this.signal });
    try {
      return await withCertificateCheck(this.trust, addressOf(origin), async (check) => {
        const dispatcher = check ? this.verifyingDispatcher() : this.network.dispatcher;
        return send(dispatcher).catch((error: unknown) => {
          // A kept connection may have been closed by the server the moment it was used again.
          if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error))) throw error;
          return send(dispatcher);
        });
      });
    } catch (error) {
      this.signal.throwIfAborted();
      if (isAddressNotAllowed(error) || error instanceof SourceError) throw error;
      if (await this.tlsRequirement.detectFromError(origin, codeOf(error))) throw this.tlsRequired(error);
      throw new ConnectionLost(`${this.label}: no answer (${codeOf(error)}).`, { cause: error });
    }
  }

  /** With connections of this session alone: what one user has accepted holds for no other. */
  private verifyingDispatcher(): Dispatcher {
    this.verifyingConnections ??= this.network.dispatcherVerifying((server, socket) =>
      new CertificateCheck(this.trust, server).verify(socket),
    );
    return this.verifyingConnections;
  }

  private tlsRequired(cause?: unknown): Unreachable {
    return new Unreachable(`${this.label}: the server demands TLS.`, 'TLS_REQUIRED', { cause });
  }

  /** Whether a redirect leads to https where the secrets are sent again. */
  private isUpgraded({ status, headers: { location }, target: { origin, path } }: SourceHttpResponse): boolean {
    if (!this.followsRedirects || !REDIRECT_STATUSES.has(status) || !location) return false;
    return URL.canParse(location, origin + path) && isUpgrade(origin, new URL(location, origin + path).origin);
  }

  private redirectTarget({ origin, path }: RequestTarget, location: string | string[] | undefined): RequestTarget {
    const url =
      typeof location === 'string' && URL.canParse(location, origin + path) && new URL(location, origin + path);
    if (!url || !/^https?:$/.test(url.protocol)) throw new SelectionNotFound(`${this.label}: a redirect to nowhere.`);
    if (origin.startsWith('https:') && url.protocol === 'http:') {
      throw new SelectionNotFound(`${this.label}: a redirect to an unencrypted address.`);
    }
    return { origin: url.origin, path: url.pathname + url.search };
  }
}

/** Lets an answer go unread: a short one is read so that its connection can be used again. */
export async function discardBody({ body }: Pick<SourceHttpResponse, 'body'>): Promise<void> {
  await body.dump({ limit: EXCERPT_BYTES }).catch(() => undefined);
}

function addressOf(origin: string): ServerAddress {
  const { hostname, port, protocol } = new URL(origin);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** The same host, from its usual unencrypted port to its usual encrypted one. */
function isUpgrade(from: string, to: string): boolean {
  if (!to.startsWith('https:')) return false; // `null` is the origin of what is neither http nor https
  const [before, after] = [new URL(from), new URL(to)];
  const isUsual = before.port === '' && after.port === '';
  return isUsual && before.hostname === after.hostname && before.protocol === 'http:' && after.protocol === 'https:';
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
