import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isAddressNotAllowed, type Network } from '../../../platform/network/network';
import { CertificateCheck, withCertificateCheck } from '../trust/certificate-check';
import { type ServerAddress, ServerTrust } from '../../core/server-trust';
import { SelectionNotFound, SourceError } from '../../core/source-errors';
import { Unreachable } from '../reachability/unreachable-code';
import { ConnectionLost } from '../tree-sync/files/resumable-read';
import {
  isRedirect,
  isUpgrade,
  isUpgradeRedirect,
  MAX_REDIRECTS,
  redirectTarget,
  type RequestTarget,
} from './redirects';
import { TlsRequirementDetector } from './tls-requirement-detector';

export interface SourceHttpRequest {
  readonly method: 'GET' | 'POST' | 'PROPFIND';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are sent to the target's own origin only, wherever redirects lead. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response whose body has to be read (`bytes`, `excerpt`) or discarded (`discardBody`); otherwise its connection stays in use. */
export interface SourceHttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The target after redirects. */
  readonly target: RequestTarget;
  /** Whether the secrets were sent to it. */
  readonly isTrusted: boolean;
  readonly body: Dispatcher.ResponseData['body'];
}

/** The beginning of an error response is enough to classify it. */
const EXCERPT_BYTES = 64 * 1024;

/** The HTTP client of connectors: uses the guarded network, follows redirects and keeps secrets from other origins. */
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

  /** Call it when the session ends. */
  async close(): Promise<void> {
    await this.verifyingConnections?.destroy();
  }

  /**
   * Sends an idempotent request. Statuses are left to the caller.
   * @throws AddressNotAllowed, Transient (`TLS_REQUIRED` when the server requires encryption), SelectionNotFound for a redirect
   * that is invalid or leads to an address that the network guard rejects, or the signal's reason
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
        // The guard's rejection of the requested address concerns the whole source; that of a redirect only this request.
        if (redirects === 0 || !isAddressNotAllowed(error)) throw error;
        throw new SelectionNotFound(`${this.label}: redirected to an address that is not allowed.`, { cause: error });
      });
      const response: SourceHttpResponse = {
        status: statusCode,
        headers: responseHeaders,
        target: at,
        isTrusted,
        body,
      };
      if (
        isTrusted &&
        !(this.followsRedirects && isUpgradeRedirect(response)) &&
        (await this.tlsRequirement.detectFromResponse(response))
      ) {
        await discardBody(response);
        throw this.tlsRequired();
      }
      if (!this.followsRedirects || !isRedirect(statusCode)) return response;
      const next = redirectTarget(this.label, at, responseHeaders.location);
      await discardBody(response);
      if (redirects === MAX_REDIRECTS) throw new SelectionNotFound(`${this.label}: too many redirects.`);
      // Never trusted again, so that the other origin cannot redirect the secrets back with its own parameters.
      isTrusted &&= next.origin === at.origin || isUpgrade(at.origin, next.origin);
      at = next;
    }
  }

  /** The body. @throws ConnectionLost when it ends early, or the signal's reason */
  async *bytes({ body }: SourceHttpResponse): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      this.signal.throwIfAborted();
      throw new ConnectionLost(`${this.label}: the response was cut off (${codeOf(error)}).`, { cause: error });
    }
  }

  /** The beginning of an error response as text; what has arrived when it is cut off. */
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
          // The server may have closed a kept-alive connection just when it was used again.
          if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error))) throw error;
          return send(dispatcher);
        });
      });
    } catch (error) {
      this.signal.throwIfAborted();
      if (isAddressNotAllowed(error) || error instanceof SourceError) throw error;
      if (await this.tlsRequirement.detectFromError(origin, codeOf(error))) throw this.tlsRequired(error);
      throw new ConnectionLost(`${this.label}: no response (${codeOf(error)}).`, { cause: error });
    }
  }

  /** Uses connections of this session only: the certificate that one user has accepted is not valid for others. */
  private verifyingDispatcher(): Dispatcher {
    this.verifyingConnections ??= this.network.dispatcherVerifying((server, socket) =>
      new CertificateCheck(this.trust, server).verify(socket),
    );
    return this.verifyingConnections;
  }

  private tlsRequired(cause?: unknown): Unreachable {
    return new Unreachable(`${this.label}: the server requires TLS.`, 'TLS_REQUIRED', { cause });
  }
}

/** Discards a body: a short one is read, so that its connection can be reused. */
export async function discardBody({ body }: Pick<SourceHttpResponse, 'body'>): Promise<void> {
  await body.dump({ limit: EXCERPT_BYTES }).catch(() => undefined);
}

function addressOf(origin: string): ServerAddress {
  const { hostname, port, protocol } = new URL(origin);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
