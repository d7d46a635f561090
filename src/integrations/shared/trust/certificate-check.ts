import type { PeerCertificate, TLSSocket } from 'node:tls';
import {
  Unreachable,
  unreachableCode,
  unreachableReason,
  type UnreachableReason,
} from '../reachability/unreachable-code';
import type { ServerAddress, ServerTrust } from '../../core/server-trust';

type CertificateReason = Extract<UnreachableReason, `CERTIFICATE_INVALID${string}`>;

/** The server's certificate is not trusted (decisions 2 `CERTIFICATE_INVALID`). No secret was sent to it. */
export class CertificateInvalid extends Unreachable {
  constructor(
    what: string,
    reason: CertificateReason,
    /** SHA-256 of the certificate, in upper-case hex with colons; undefined when the user cannot trust it. */
    readonly fingerprint?: string,
  ) {
    super(`${what}: the certificate is not trusted (${reason}).`, reason);
  }
}

/** What is wrong with a certificate, by the error code of Node or OpenSSL. */
function certificateReason(code: unknown): CertificateReason {
  const reason = unreachableReason({ code });
  return reason?.startsWith('CERTIFICATE_INVALID') ? (reason as CertificateReason) : 'CERTIFICATE_INVALID';
}

/** The `CertificateInvalid` among an error and its causes. */
export function certificateInvalid(error: unknown): CertificateInvalid | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof CertificateInvalid) return each;
  }
  return null;
}

/**
 * Verifies the certificate of one connection instead of the TLS library, which requires `rejectUnauthorized: false`: a certificate
 * that a public authority signed for the name is trusted, any other one only when the user has accepted its fingerprint.
 */
export class CertificateCheck {
  private hasPassed = false;

  constructor(
    private readonly trust: ServerTrust,
    private readonly server: ServerAddress,
  ) {}

  /** Call it with every secured socket before anything is written to it. @throws CertificateInvalid */
  verify(socket: TLSSocket): void {
    this.hasPassed = false;
    if (!socket.authorized) this.compare(socket);
    this.hasPassed = true;
  }

  /** Returns the secret after a successful verification. @throws CertificateInvalid */
  release(secret: string): string {
    if (!this.hasPassed) throw new CertificateInvalid(this.what, 'CERTIFICATE_INVALID');
    return secret;
  }

  private compare(socket: TLSSocket): void {
    // Not `getPeerX509Certificate`, which returns the certificate only once per connection.
    const shown = (socket.getPeerCertificate() as PeerCertificate | null)?.fingerprint256;
    const trusted = this.trust.trustedFingerprintOf(this.server);
    if (shown !== undefined && shown === trusted) return this.trust.confirm(trusted);
    const isChanged = trusted !== undefined;
    const reason = isChanged ? 'CERTIFICATE_INVALID_CHANGED' : certificateReason(socket.authorizationError);
    throw new CertificateInvalid(this.what, reason, this.trust.mayPrompt(this.server) ? shown : undefined);
  }

  private get what(): string {
    return `${this.server.host}:${this.server.port}`;
  }
}

/**
 * Opens a connection to a server: with the verification of the TLS library when no fingerprint is trusted, else with a
 * `CertificateCheck`. When the user can accept an untrusted certificate, a second connection reads its fingerprint.
 * @throws CertificateInvalid, or what `open` throws
 */
export async function withCertificateCheck<T>(
  trust: ServerTrust,
  server: ServerAddress,
  open: (check?: CertificateCheck) => Promise<T>,
): Promise<T> {
  const check = (): CertificateCheck => new CertificateCheck(trust, server);
  if (trust.trustedFingerprintOf(server) !== undefined) return open(check());
  try {
    return await open();
  } catch (error) {
    const isWeak = unreachableReason(error) === 'CERTIFICATE_INVALID_WEAK'; // not offered to the user
    if (unreachableCode(error) !== 'CERTIFICATE_INVALID' || isWeak || !trust.mayPrompt(server)) throw error;
    return open(check());
  }
}
