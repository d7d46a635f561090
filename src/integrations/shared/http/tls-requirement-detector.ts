import type { Network } from '../../../platform/network/network';
import { beginsTls } from '../reachability/diagnose';
import type { SourceHttpResponse } from './source-http-client';

/** How a server ends a connection on which it was spoken to without TLS: it closes it, or answers in the words of TLS. */
const DISCONNECTED = /^(HPE_.*|UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

/** Finds out whether a server that was asked by http demands https (decisions 2: `TLS_REQUIRED`). */
export class TlsRequirementDetector {
  private readonly tlsByOrigin = new Map<string, Promise<boolean>>();

  constructor(
    private readonly network: Network,
    private readonly signal: AbortSignal,
  ) {}

  /** By the code of an error without an answer. */
  async detectFromError(origin: string, code: string): Promise<boolean> {
    return isPlain(origin) && DISCONNECTED.test(code) && (await this.probe(origin));
  }

  /** By an answer: nginx, Apache and Go say 400 on a port of TLS, others 426 (RFC 9110), or where https is. */
  async detectFromResponse({ status, headers, target: { origin, path } }: SourceHttpResponse): Promise<boolean> {
    if (!isPlain(origin)) return false;
    if (status === 426) return /\btls\b/i.test(headers.upgrade ?? '');
    if (status === 400) return this.probe(origin);
    // It speaks HTTP here: a connection that breaks later is no reason to look for TLS.
    this.tlsByOrigin.set(origin, Promise.resolve(false));
    const { location } = headers;
    if (![301, 302, 307, 308].includes(status) || !location || !URL.canParse(location, origin + path)) return false;
    const to = new URL(location, origin + path);
    return to.protocol === 'https:' && to.hostname === new URL(origin).hostname;
  }

  private probe(origin: string): Promise<boolean> {
    const known = this.tlsByOrigin.get(origin);
    if (known) return known;
    const { hostname, port } = new URL(origin);
    const address = { network: this.network, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
    const probed = beginsTls(address, this.signal);
    this.tlsByOrigin.set(origin, probed);
    return probed;
  }
}

const isPlain = (origin: string): boolean => origin.startsWith('http:');
