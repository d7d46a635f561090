import type { Network } from '../../../platform/network/network';
import { beginsTls } from '../reachability/diagnose';
import type { SourceHttpResponse } from './source-http-client';

/** The errors when a TLS server receives plain HTTP: it closes the connection or answers with TLS records. */
const DISCONNECTED = /^(HPE_.*|UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

/** Detects whether a server that received an http request requires https (decisions 2: `TLS_REQUIRED`). */
export class TlsRequirementDetector {
  private readonly tlsByOrigin = new Map<string, Promise<boolean>>();

  constructor(
    private readonly network: Network,
    private readonly signal: AbortSignal,
  ) {}

  /** From the code of an error without a response. */
  async detectFromError(origin: string, code: string): Promise<boolean> {
    return isPlain(origin) && DISCONNECTED.test(code) && (await this.probe(origin));
  }

  /** From a response: nginx, Apache and Go answer 400 on a TLS port, others 426 (RFC 9110) or a redirect to https. */
  async detectFromResponse({ status, headers, target: { origin, path } }: SourceHttpResponse): Promise<boolean> {
    if (!isPlain(origin)) return false;
    if (status === 426) return /\btls\b/i.test(headers.upgrade ?? '');
    if (status === 400) return this.probe(origin);
    // The server speaks HTTP here: a later disconnect does not require a probe for TLS.
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
