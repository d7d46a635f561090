import { Logger } from '@nestjs/common';
import { type LookupAddress, type LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, Socket } from 'node:net';
import { getCACertificates, TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressPolicy } from './address-policy';
import { normalizeHost } from './normalize-host';
import { AddressNotAllowed, type CertificateVerifier, type Destination, type Network } from './network';

export interface GuardedNetworkOptions {
  /** CIDR networks that may be reached although they are private (decisions 8 `NETWORK_ALLOW`). */
  readonly allow: readonly string[];
  /** A certificate authority (PEM) that is trusted beside the system's. */
  readonly ca?: string;
  /** Every address of a name. Default: the operating system's resolver. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** Milliseconds that resolving and connecting may take together. Default 10,000. */
  readonly connectTimeout?: number;
  /** Milliseconds that running requests have to end in when the network is closed. Default 5,000. */
  readonly closeGrace?: number;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Addresses of one name that are tried one after the other, and how long each may take before the next one's turn. */
const CONNECT = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };
const KEEP_ALIVE_PROBE_MS = 60_000;
/** Closed names that are remembered as logged. */
const MAX_CLOSED_NAMES = 1_000;
/** A tenant's dispatcher that nobody has asked for in this time is closed: no request takes that long. */
const TENANT_IDLE_MS = 1_800_000;

/**
 * The service's only way out (decisions 8 `NETWORK_ALLOW`). Names are resolved once per connection and the connection is made to the
 * very addresses that were checked: a name cannot be rebound in between. Of a name with several addresses only the allowed ones are
 * tried (a public host with a stray private record stays reachable). A name with none allowed fails like one that does not exist
 * (`ENOTFOUND`, decisions 2); an address that is not allowed is `AddressNotAllowed`.
 */
export class GuardedNetwork implements Network {
  readonly dispatcher: Dispatcher;
  private readonly gate: AddressPolicy;
  private readonly connectTimeout: number;
  private readonly closeGrace: number;
  private readonly sockets = new Set<Socket>();
  private readonly logger = new Logger(GuardedNetwork.name);
  private readonly closedNames = new Set<string>();
  private readonly connector: buildConnector.connector;
  private readonly tenants = new Map<string, { dispatcher: Dispatcher; usedAt: number }>();
  private closing?: Promise<void>;

  /** @throws TypeError when `allow` holds something that is no CIDR network. */
  constructor(private readonly options: GuardedNetworkOptions) {
    this.gate = new AddressPolicy(options.allow);
    this.connectTimeout = options.connectTimeout ?? 10_000;
    this.closeGrace = options.closeGrace ?? 5_000;
    this.connector = this.guardedConnector();
    this.dispatcher = this.agent();
  }

  /**
   * As `dispatcher`, with connections that nobody else takes: requests of one tenant that hang keep none of another waiting,
   * also at the same origin. Ask for it anew for each request.
   */
  dispatcherOf(tenant: string): Dispatcher {
    const now = performance.now();
    const dispatcher = this.tenants.get(tenant)?.dispatcher ?? this.agent();
    // The order of the map is the order of use.
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
   * An allowed address of `host`, IPv4 before IPv6 as the caller gets only one to try.
   * @throws AddressNotAllowed, the resolver's error (`ENOTFOUND`, `EAI_AGAIN`), or `ETIMEDOUT` after ten seconds.
   */
  async resolve(host: string): Promise<Destination> {
    const name = this.admit(host);
    const addresses = await within(this.connectTimeout, this.allowedAddresses(name));
    const { address, family } = addresses.find((candidate) => candidate.family === 4) ?? addresses[0]!;
    return { address, family: family === 4 ? 4 : 6, servername: name };
  }

  /**
   * A TCP connection to an allowed address of `host`, without Nagle's delay and with keep-alive probes.
   * @throws AddressNotAllowed, the resolver's or the socket's error (`ETIMEDOUT` after ten seconds), or the signal's reason.
   */
  async connect(host: string, port: number, signal?: AbortSignal, make = () => new Socket()): Promise<Socket> {
    signal?.throwIfAborted();
    const socket = make().connect({ host: this.admit(host), port, lookup: this.lookup, ...CONNECT });
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve).once('error', reject);
    try {
      await within(this.connectTimeout, promise, signal);
      return socket;
    } catch (error) {
      socket.on('error', () => undefined).destroy(); // a late failure of the abandoned attempt concerns nobody
      throw error;
    } finally {
      socket.off('connect', resolve).off('error', reject);
    }
  }

  /** Lets running requests end for five seconds, then cuts them off. May be called again. */
  async close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    // The dispatcher forgets its connections as soon as it is asked to close, so it cannot cut them off itself.
    const cutOff = (): void => this.sockets.forEach((socket) => socket.destroy(new Error('The service is stopping.')));
    const timer = setTimeout(cutOff, this.closeGrace);
    const dispatchers = [this.dispatcher, ...[...this.tenants.values()].map(({ dispatcher }) => dispatcher)];
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
    clearTimeout(timer);
  }

  private agent(connect = this.connector): Agent {
    return new Agent({
      connect,
      connections: 128, // per origin; more wait for a free one
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 300_000,
      clientTtl: 600_000, // a host that moves to other addresses is followed within ten minutes
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
  }

  /** `verify` decides on certificates in place of the TLS library. */
  private guardedConnector(verify?: CertificateVerifier): buildConnector.connector {
    const connect = buildConnector({
      ...CONNECT,
      lookup: this.lookup,
      timeout: this.connectTimeout,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
      allowH2: false,
      rejectUnauthorized: !verify,
      // A resumed session shows no certificate.
      ...(verify && { maxCachedSessions: 0 }),
      ...(this.options.ca ? { ca: [...getCACertificates('default'), this.options.ca] } : {}),
    });
    return ({ hostname, host, protocol, port, servername }, callback) => {
      try {
        connect({ hostname: this.admit(hostname), host, protocol, port, servername }, (error, socket) => {
          if (error) return callback(error, null);
          const refused = verify && refusal(verify, { host: hostname, port: Number(port) || 443 }, socket);
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

  /** The host's canonical spelling. Addresses are decided here, as sockets do not look them up; names are in `lookup`. */
  private admit(host: string): string {
    const name = normalizeHost(host);
    if (name === null || (isIP(name) !== 0 && !this.gate.permits(name))) throw new AddressNotAllowed(host);
    return name;
  }

  private async allowedAddresses(name: string): Promise<LookupAddress[]> {
    const lookup = this.options.lookup ?? ((hostname: string) => systemLookup(hostname, { all: true }));
    const family = isIP(name);
    const found = family === 0 ? await lookup(name) : [{ address: name, family }];
    const addresses = found.filter(({ address }) => this.gate.permits(address));
    if (addresses.length > 0) return addresses;
    if (family !== 0) throw new AddressNotAllowed(name);
    this.noteClosedName(name);
    throw nameNotFound(name);
  }

  /** The operator's only hint to `NETWORK_ALLOW`, once for a name: the caller must not learn that the name exists. */
  private noteClosedName(name: string): void {
    if (this.closedNames.has(name)) return;
    if (this.closedNames.size >= MAX_CLOSED_NAMES) this.closedNames.clear();
    this.closedNames.add(name);
    this.logger.warn(`The name ${name} resolves only to addresses that NETWORK_ALLOW does not open.`);
  }

  /** What sockets resolve names with: it answers checked addresses only, and the socket connects to these. */
  private readonly lookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    this.allowedAddresses(hostname).then(
      (addresses) => {
        const first = addresses[0]!;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      // As it is: its code tells an unknown name from a broken connection.
      (error: unknown) => callback(error as Error, ''),
    );
  };
}

/** Why the verifier refuses a connection; null when it does not, and for one without TLS. */
function refusal(verify: CertificateVerifier, server: { host: string; port: number }, socket: Socket): Error | null {
  if (!(socket instanceof TLSSocket)) return null;
  try {
    verify(server, socket);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** What the operating system's resolver says of a name that does not exist (decisions 2: a closed name answers the same). */
function nameNotFound(hostname: string): Error {
  const message = `getaddrinfo ENOTFOUND ${hostname}`;
  return Object.assign(new Error(message), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });
}

/** The outcome of `work`, unless `limit` (ms) is over or the signal is aborted before. */
async function within<T>(limit: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted(); // no event comes for an abort that has already happened
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal?.reason as Error);
  const timeout = (): void =>
    reject(Object.assign(new Error(`No connection within ${limit} ms.`), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(timeout, limit);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
