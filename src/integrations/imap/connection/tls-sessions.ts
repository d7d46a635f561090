import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { MailServer } from './mail-server';

const MAX_SERVERS = 100;
/** A server proves its identity again after this time at the latest. */
const MAX_AGE_MS = 3_600_000;

interface KnownSession {
  readonly session: Buffer;
  /** When the certificate was verified, by `performance.now()`. */
  readonly verifiedAt: number;
}

/** Options of a connection whose certificate the TLS library verifies. */
export interface ResumingOptions {
  readonly secureContext: SecureContext;
  readonly session?: Buffer;
}

/**
 * TLS sessions that a server may resume (RFC 8446 section 2.2), which saves both ends the work with public keys: many mailboxes are
 * on one server. In a resumed session the certificate is not verified again. So a session is used only for the same host, port and
 * kind of TLS and with the same trusted authorities, for an hour after the certificate was verified, and never when a `CertificateCheck`
 * decides about the certificate. All connections without one trust the same certificates for a name, independent of the client.
 */
export class TlsSessions {
  private readonly sessions = new Map<string, KnownSession>();
  private authorities: readonly string[] | undefined;
  private context: SecureContext | undefined;

  constructor(private readonly now = () => performance.now()) {}

  options(server: MailServer): ResumingOptions {
    const authorities = getCACertificates('default');
    if (!this.context || authorities !== this.authorities) {
      this.authorities = authorities;
      this.context = createSecureContext();
      this.sessions.clear();
    }
    const session = this.valid(server)?.session;
    return { secureContext: this.context, ...(session && { session }) };
  }

  /** Call it with the secured socket of a connection with `options`: keeps the sessions that the server offers. */
  watch(server: MailServer, socket: TLSSocket): void {
    if (!socket.authorized) return;
    const { authorities } = this;
    const verifiedAt = socket.isSessionReused() ? this.valid(server)?.verifiedAt : this.now();
    if (verifiedAt === undefined) return;
    const keep = (session: Buffer | undefined): void => {
      if (session && authorities === this.authorities) this.keep(server, { session, verifiedAt });
    };
    // With TLS 1.2 the session is known now, with TLS 1.3 the server offers it later.
    if (socket.getProtocol() === 'TLSv1.2') keep(socket.getSession());
    else socket.on('session', keep);
  }

  /** The next connection to this server starts a new session. */
  forget(server: MailServer): void {
    this.sessions.delete(keyOf(server));
  }

  private valid(server: MailServer): KnownSession | undefined {
    const known = this.sessions.get(keyOf(server));
    if (!known || this.now() - known.verifiedAt < MAX_AGE_MS) return known;
    this.forget(server);
    return undefined;
  }

  private keep(server: MailServer, known: KnownSession): void {
    const key = keyOf(server);
    // The map is ordered by the last use.
    this.sessions.delete(key);
    this.sessions.set(key, known);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= MAX_SERVERS) return;
      this.sessions.delete(oldest);
    }
  }
}

function keyOf({ host, port, security }: MailServer): string {
  return `${security} ${host.toLowerCase()}:${port}`;
}
