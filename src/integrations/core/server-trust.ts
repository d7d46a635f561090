import type { FieldSpec } from './field';
import type { Integration } from './integration';
import type { FieldInput } from './validate-fields';

/** Where a server is reached. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** For integrations whose server the user types (decisions 2: such a server may be trusted by its fingerprint). */
export interface TypedServer<Fields = Readonly<Record<string, unknown>>> {
  /** How the server proves its identity: by a TLS certificate or by an SSH host key. */
  readonly proof: 'CERTIFICATE' | 'HOST_KEY';
  /** The server that the fields name; null when the user has not typed it (a preset) or it proves nothing (no TLS). */
  address(fields: Fields): ServerAddress | null;
}

/** Whether a step-1 field says where the server is. */
export const isServerField = ({ id, type }: FieldSpec): boolean => id === 'host' || type === 'url';

/**
 * The server of an address that begins with https, or where one that begins with http leads to https: the usual ports only, as
 * redirects are followed. Null where there is no TLS.
 */
export function secureServerOf(url: string): ServerAddress | null {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'https:') return { host: hostname, port: Number(port) || 443 };
  return port === '' ? { host: hostname, port: 443 } : null;
}

/** Fingerprints by `host:port`, as they are stored with a connection. */
export type TrustedFingerprints = Readonly<Record<string, string>>;

/** The server that the user typed, and the fingerprint that the user accepted for it. Holds for one host and port only. */
export class ServerTrust {
  /** For integrations whose server nobody types: nothing is pinned. */
  static readonly NONE = new ServerTrust(null);
  private confirmed: string | undefined;

  constructor(
    private readonly server: ServerAddress | null,
    private readonly trusted?: string,
    /** Whether a user waits who can be shown the fingerprint of an untrusted server. */
    private readonly isInteractive = false,
  ) {}

  /** For a session: `accepted` is the fingerprint that the user accepts now and takes precedence over the stored one. */
  static of(
    { typedServer }: Pick<Integration, 'typedServer'>,
    fields: FieldInput,
    { pins, accepted, isInteractive }: { pins?: TrustedFingerprints; accepted?: string; isInteractive?: boolean } = {},
  ): ServerTrust {
    const server = typedServer?.address(fields) ?? null;
    if (!server) return ServerTrust.NONE;
    return new ServerTrust(server, accepted ?? pins?.[keyOf(server)], isInteractive);
  }

  /** What to store for a server that has not been contacted yet. */
  get unconfirmedFingerprints(): TrustedFingerprints {
    return this.server && this.trusted !== undefined ? { [keyOf(this.server)]: this.trusted } : {};
  }

  /** What to store after a check; empty when the server is trusted without a pin. */
  get confirmedFingerprints(): TrustedFingerprints {
    return this.server && this.confirmed !== undefined ? { [keyOf(this.server)]: this.confirmed } : {};
  }

  /** The fingerprint that the server at this address has to show; undefined when none was accepted for it. */
  trustedFingerprintOf(address: ServerAddress): string | undefined {
    return this.isTypedServer(address) ? this.trusted : undefined;
  }

  /** Whether the user may be asked to trust the server at this address. */
  mayPrompt(address: ServerAddress): boolean {
    return this.isInteractive && this.isTypedServer(address);
  }

  /** The server has shown the pinned certificate or key; `pin` is stored. */
  confirm(pin: string): void {
    this.confirmed = pin;
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
