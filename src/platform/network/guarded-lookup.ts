import { Logger } from '@nestjs/common';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressPolicy } from './addresses/address-policy';
import { normalizeHost } from './addresses/normalize-host';
import { AddressNotAllowed } from './network';

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** The maximum number of disallowed names that are remembered as logged. */
const MAX_CLOSED_NAMES = 1_000;

/** Resolves names to the addresses that the policy allows. */
export class GuardedLookup {
  private readonly logger = new Logger(GuardedLookup.name);
  private readonly closedNames = new Set<string>();

  /** `resolveAll` returns all addresses of a name, by default those of the operating system's resolver. */
  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolveAll: (hostname: string) => Promise<readonly LookupAddress[]> = (hostname) =>
      systemLookup(hostname, { all: true }),
  ) {}

  /** The normalized host. IP addresses are checked here, because sockets do not resolve them; names are checked in `lookup`. */
  admit(host: string): string {
    const name = normalizeHost(host);
    if (name === null || (isIP(name) !== 0 && !this.policy.permits(name))) throw new AddressNotAllowed(host);
    return name;
  }

  /**
   * The allowed addresses of an admitted host.
   * @throws AddressNotAllowed, the resolver's error, or `ENOTFOUND` when no address is allowed
   */
  async allowed(name: string): Promise<LookupAddress[]> {
    const family = isIP(name);
    const found = family === 0 ? await this.resolveAll(name) : [{ address: name, family }];
    const addresses = found.filter(({ address }) => this.policy.permits(address));
    if (addresses.length > 0) return addresses;
    if (family !== 0) throw new AddressNotAllowed(name);
    this.noteClosedName(name);
    throw nameNotFound(name);
  }

  /** The resolver of all sockets: it returns only checked addresses, to which the socket connects. */
  readonly lookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    this.allowed(hostname).then(
      (addresses) => {
        const first = addresses[0]!;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      // Unchanged: its code distinguishes an unknown name from a broken connection.
      (error: unknown) => callback(error as Error, ''),
    );
  };

  /** Logs a disallowed name once for the operator; the caller must not learn that the name exists. */
  private noteClosedName(name: string): void {
    if (this.closedNames.has(name)) return;
    if (this.closedNames.size >= MAX_CLOSED_NAMES) this.closedNames.clear();
    this.closedNames.add(name);
    this.logger.warn({ name }, 'A name resolves only to addresses that NETWORK_ALLOW does not allow');
  }
}

/** The error of the operating system's resolver for a name that does not exist, also used for disallowed names (decisions 2). */
function nameNotFound(hostname: string): Error {
  const message = `getaddrinfo ENOTFOUND ${hostname}`;
  return Object.assign(new Error(message), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });
}
