import type { FieldSpec } from './field';
import type { Integration } from './integration';
import type { FieldInput } from './validate-fields';

/** The address of a server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** For integrations whose server the user types (decisions 2: such a server may be trusted by its fingerprint). */
export interface TypedServer<Fields = Readonly<Record<string, unknown>>> {
  /** How the server proves its identity: by a TLS certificate or an SSH host key. */
  readonly proof: 'CERTIFICATE' | 'HOST_KEY';
  /** The server that the fields name; null when the user has not typed it (a preset) or it has no proof of identity (no TLS). */
  address(fields: Fields): ServerAddress | null;
}

/** Whether a step-1 field names the server. */
export const isServerField = ({ id, type }: FieldSpec): boolean => id === 'host' || type === 'url';

/**
 * The TLS server of an https address, or the one that an http address redirects to: only on the default ports, as redirects are
 * followed. Null without TLS.
 */
export function secureServerOf(url: string): ServerAddress | null {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'https:') return { host: hostname, port: Number(port) || 443 };
  return port === '' ? { host: hostname, port: 443 } : null;
}

/** The trusted fingerprints of a connection by `host:port`, as stored. */
export type TrustedFingerprints = Readonly<Record<string, string>>;

/** The server that the user typed and the fingerprint that the user has accepted for it, for one host and port only. */
export class ServerTrust {
  /** For integrations without a typed server: no fingerprint is trusted. */
  static readonly NONE = new ServerTrust(null);
  private confirmed: string | undefined;

  constructor(
    private readonly server: ServerAddress | null,
    private readonly trusted?: string,
    /** Whether a user is waiting, to whom the fingerprint of an untrusted server can be shown. */
    private readonly isInteractive = false,
  ) {}

  /** The trust of a session. `accepted` is the fingerprint that the user accepts now; it takes precedence over the stored one. */
  static of(
    { typedServer }: Pick<Integration, 'typedServer'>,
    fields: FieldInput,
    {
      trustedFingerprints,
      accepted,
      isInteractive,
    }: { trustedFingerprints?: TrustedFingerprints; accepted?: string; isInteractive?: boolean } = {},
  ): ServerTrust {
    const server = typedServer?.address(fields) ?? null;
    if (!server) return ServerTrust.NONE;
    return new ServerTrust(server, accepted ?? trustedFingerprints?.[keyOf(server)], isInteractive);
  }

  /** The fingerprints to store for a server that has not been contacted yet. */
  get unconfirmedFingerprints(): TrustedFingerprints {
    return this.server && this.trusted !== undefined ? { [keyOf(this.server)]: this.trusted } : {};
  }

  /** The fingerprints to store after a check; empty when the server is trusted without one. */
  get confirmedFingerprints(): TrustedFingerprints {
    return this.server && this.confirmed !== undefined ? { [keyOf(this.server)]: this.confirmed } : {};
  }

  /** The fingerprint that the server at this address has to present; undefined when none was accepted for it. */
  trustedFingerprintOf(address: ServerAddress): string | undefined {
    return this.isTypedServer(address) ? this.trusted : undefined;
  }

  /** Whether the user can be requested to trust the server at this address. */
  mayPrompt(address: ServerAddress): boolean {
    return this.isInteractive && this.isTypedServer(address);
  }

  /** Records that the server has presented the trusted certificate or key; `fingerprint` will be stored. */
  confirm(fingerprint: string): void {
    this.confirmed = fingerprint;
  }

  private isTypedServer(address: ServerAddress): boolean {
    return this.server !== null && keyOf(this.server) === keyOf(address);
  }
}

function keyOf({ host, port }: ServerAddress): string {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}
