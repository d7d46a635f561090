import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';

/** A destination that the service must not connect to (decisions 8 `NETWORK_ALLOW`): private, link-local, metadata and similar. */
export class AddressNotAllowed extends Error {
  constructor(readonly host: string) {
    super(`The address of ${host} is not allowed.`);
    this.name = 'AddressNotAllowed';
  }
}

/** Whether an error is, or was caused by, `AddressNotAllowed`: looks through `cause` and `AggregateError`, where clients wrap it. */
export function isAddressNotAllowed(error: unknown): boolean {
  const seen = new Set<unknown>();
  const search = (candidate: unknown): boolean => {
    if (!(candidate instanceof Error) || seen.has(candidate)) return false;
    seen.add(candidate);
    if (candidate instanceof AddressNotAllowed) return true;
    return search(candidate.cause) || (candidate instanceof AggregateError && candidate.errors.some(search));
  };
  return search(error);
}

/** A checked destination: connect to `address`, verify TLS against `servername` (the address if the host is an IP address). */
export interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
  readonly servername: string;
}

/** Checks the certificate of a new TLS connection to a host and port before anything is sent. Throws to reject it. */
export type CertificateVerifier = (server: { readonly host: string; readonly port: number }, socket: TLSSocket) => void;

/** All outgoing network access. Addresses are checked when the connection is made, which prevents DNS rebinding. */
export interface Network {
  /** Resolves a host name and returns an allowed address. Throws `AddressNotAllowed`, or the resolver's error. */
  resolve(host: string): Promise<Destination>;
  /** Opens a TCP connection to an allowed address with a socket of `createSocket`. The signal aborts the attempt, not an open connection. */
  connect(host: string, port: number, signal?: AbortSignal, createSocket?: () => Socket): Promise<Socket>;
  /** For undici's `request({ dispatcher })`: follows no redirects, verifies TLS, connects to allowed addresses only. */
  readonly dispatcher: Dispatcher;
  /** Like `dispatcher`, with separate connections whose certificates are checked by `verify`. The caller destroys it. */
  dispatcherVerifying(verify: CertificateVerifier): Dispatcher;
}
