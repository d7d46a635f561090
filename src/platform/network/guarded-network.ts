import type { LookupAddress } from 'node:dns';
import { Socket } from 'node:net';
import { getCACertificates, TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { withTimeout } from '../concurrency/cancellation';
import { AddressPolicy } from './addresses/address-policy';
import { GuardedLookup } from './guarded-lookup';
import type { CertificateVerifier, Destination, Network } from './network';

export interface GuardedNetworkOptions {
  /** Private CIDR networks that are allowed (decisions 8 `NETWORK_ALLOW`). */
  readonly allow: readonly string[];
  /** A certificate authority (PEM) that is trusted in addition to the system's. */
  readonly ca?: string;
  /** Resolves all addresses of a name. Default: the operating system's resolver. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** The timeout for resolving and connecting together, in milliseconds. Default 10,000. */
  readonly connectTimeout?: number;
  /** Milliseconds until running requests are aborted when the network is closed. Default 5,000. */
  readonly closeGrace?: number;
}

/** The addresses of a name are tried in sequence, each with this timeout before the next one is tried. */
const CONNECT = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };
const KEEP_ALIVE_PROBE_MS = 60_000;
/** A tenant's dispatcher that was not used for this time is closed: no request takes that long. */
const TENANT_IDLE_MS = 1_800_000;

/**
 * All outgoing network access of the service (decisions 8 `NETWORK_ALLOW`). Names are resolved once per connection, and the
 * connection is made to the checked addresses, which prevents DNS rebinding. Of a name with several addresses only the allowed
 * ones are tried (a public host with an additional private record stays reachable). A name without an allowed address fails like
 * one that does not exist (`ENOTFOUND`, decisions 2); a disallowed address throws `AddressNotAllowed`.
 */
export class GuardedNetwork implements Network {
  readonly dispatcher: Dispatcher;
  private readonly addresses: GuardedLookup;
  private readonly connectTimeout: number;
  private readonly closeGrace: number;
  private readonly sockets = new Set<Socket>();
  private readonly connector: buildConnector.connector;
  private readonly tenants = new Map<string, { dispatcher: Dispatcher; usedAt: number }>();
  private closing?: Promise<void>;

  /** @throws TypeError when `allow` contains an entry that is not a CIDR network */
  constructor(private readonly options: GuardedNetworkOptions) {
    this.addresses = new GuardedLookup(new AddressPolicy(options.allow), options.lookup);
    this.connectTimeout = options.connectTimeout ?? 10_000;
    this.closeGrace = options.closeGrace ?? 5_000;
    this.connector = this.guardedConnector();
    this.dispatcher = this.agent();
  }

  /**
   * Like `dispatcher`, with separate connections per tenant: hanging requests of one tenant do not delay those of another, even
   * to the same origin. Get it again for each request.
   */
  dispatcherOf(tenant: string): Dispatcher {
    const now = performance.now();
    const dispatcher = this.tenants.get(tenant)?.dispatcher ?? this.agent();
    // The map is ordered by last use.
    this.tenants.delete(tenant);
    this.tenants.set(tenant, { dispatcher, usedAt: now });
    for (const [idle, { dispatcher: unused, usedAt }] of this.tenants) {
      if (now - usedAt < TENANT_IDLE_MS) break;
      this.tenants.delete(idle);
      void unused.close();
    }
    return dispatcher;
  }

  dispatcherVerifying(verify: CertificateVerifier): Dispatcher {
    return this.agent(this.guardedConnector(verify));
  }

  /**
   * An allowed address of `host`; IPv4 is preferred, because the caller gets only one address.
   * @throws AddressNotAllowed, the resolver's error (`ENOTFOUND`, `EAI_AGAIN`), or `ETIMEDOUT` after ten seconds
   */
  async resolve(host: string): Promise<Destination> {
    const name = this.addresses.admit(host);
    const addresses = await this.inTime(() => this.addresses.allowed(name));
    const { address, family } = addresses.find((candidate) => candidate.family === 4) ?? addresses[0]!;
    return { address, family: family === 4 ? 4 : 6, servername: name };
  }

  /**
   * A TCP connection to an allowed address of `host`, without Nagle's delay and with keep-alive probes.
   * @throws AddressNotAllowed, the resolver's or the socket's error (`ETIMEDOUT` after ten seconds), or the signal's reason.
   */
  async connect(host: string, port: number, signal?: AbortSignal, createSocket = () => new Socket()): Promise<Socket> {
    signal?.throwIfAborted();
    const socket = createSocket().connect({
      host: this.addresses.admit(host),
      port,
      lookup: this.addresses.lookup,
      ...CONNECT,
    });
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve).once('error', reject);
    try {
      await this.inTime(() => promise, signal);
      return socket;
    } catch (error) {
      socket.on('error', () => undefined).destroy(); // ignores a later error of the abandoned attempt
      throw error;
    } finally {
      socket.off('connect', resolve).off('error', reject);
    }
  }

  /** Waits up to five seconds for running requests, then aborts them. May be called again. */
  async close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private inTime<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const limit = this.connectTimeout;
    const timedOut = () => Object.assign(new Error(`No connection within ${limit} ms.`), { code: 'ETIMEDOUT' });
    return withTimeout(limit, timedOut, work, signal);
  }

  private async shutDown(): Promise<void> {
    // The dispatcher drops its connections when it starts to close, so it cannot abort them itself.
    const abort = (): void => this.sockets.forEach((socket) => socket.destroy(new Error('The service is stopping.')));
    const timer = setTimeout(abort, this.closeGrace);
    const dispatchers = [this.dispatcher, ...[...this.tenants.values()].map(({ dispatcher }) => dispatcher)];
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
    clearTimeout(timer);
  }

  private agent(connect = this.connector): Agent {
    return new Agent({
      connect,
      connections: 128, // per origin; further requests wait for a free one
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 300_000,
      clientTtl: 600_000, // a change of a host's addresses takes effect within ten minutes
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
  }

  /** `verify` checks certificates instead of the TLS library. */
  private guardedConnector(verify?: CertificateVerifier): buildConnector.connector {
    const connect = buildConnector({
      ...CONNECT,
      lookup: this.addresses.lookup,
      timeout: this.connectTimeout,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
      allowH2: false,
      rejectUnauthorized: !verify,
      // A resumed session contains no certificate.
      ...(verify && { maxCachedSessions: 0 }),
      ...(this.options.ca ? { ca: [...getCACertificates('default'), this.options.ca] } : {}),
    });
    return ({ hostname, host, protocol, port, servername }, callback) => {
      try {
        connect({ hostname: this.addresses.admit(hostname), host, protocol, port, servername }, (error, socket) => {
          if (error) return callback(error, null);
          const refused = verify && certificateError(verify, { host: hostname, port: Number(port) || 443 }, socket);
          if (refused) {
            socket.destroy();
            return callback(refused, null);
          }
          this.sockets.add(socket);
          socket.once('close', () => this.sockets.delete(socket));
          callback(null, socket);
        });
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      }
    };
  }
}

/** The verifier's error for a connection; null when it is accepted or has no TLS. */
function certificateError(
  verify: CertificateVerifier,
  server: { host: string; port: number },
  socket: Socket,
): Error | null {
  if (!(socket instanceof TLSSocket)) return null;
  try {
    verify(server, socket);
    return null;
  } catch (error) {
    return error as Error;
  }
}
