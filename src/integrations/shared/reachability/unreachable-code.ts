import { type Reason, reasonCode, type UnreachableCode } from '../../core/reason';
import { Transient } from '../../core/source-errors';

/** Why a source cannot be reached, as exactly as it is known. */
export type UnreachableReason = Extract<Reason, UnreachableCode | `CERTIFICATE_INVALID_${string}` | `TLS_${string}`>;

/** The source cannot be reached, for a reason that no network error code expresses. */
export class Unreachable extends Transient {
  readonly code: UnreachableCode;

  constructor(
    message: string,
    readonly exactReason: UnreachableReason,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = reasonCode(exactReason) as UnreachableCode;
  }
}

/** The error codes of resolver, sockets, TLS, undici, imapflow and ssh2. */
const REASONS: readonly [RegExp, UnreachableReason][] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/, 'HOST_NOT_FOUND'],
  [/^ECONNREFUSED$/, 'CONNECTION_REFUSED'],
  [/^(ETIMEDOUT|ETIMEOUT|GREETING_TIMEOUT|CONNECT_TIMEOUT|UPGRADE_TIMEOUT|client-timeout)$/, 'TIMED_OUT'],
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|TimeoutError)$/, 'TIMED_OUT'],
  [/^CERT_HAS_EXPIRED$/, 'CERTIFICATE_INVALID_EXPIRED'],
  [/^CERT_NOT_YET_VALID$/, 'CERTIFICATE_INVALID_NOT_YET_VALID'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|ERR_TLS_CERT_ALTNAME_FORMAT|HOSTNAME_MISMATCH)$/, 'CERTIFICATE_INVALID_WRONG_NAME'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'CERTIFICATE_INVALID_SELF_SIGNED'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)$/,
    'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY',
  ],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'CERTIFICATE_INVALID_INCOMPLETE'],
  [/^INVALID_(PURPOSE|CA)$/, 'CERTIFICATE_INVALID_WRONG_PURPOSE'],
  [/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|ERROR_IN_CERT_|PATH_LENGTH_)/, 'CERTIFICATE_INVALID'],
  // The response does not start with a TLS record.
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, 'TLS_NOT_SUPPORTED'],
  // No common version or cipher: old servers have only such that are no longer secure.
  [/^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|DH_KEY_TOO_SMALL)$/, 'TLS_NOT_SUPPORTED_OUTDATED'],
  [/^ERR_SSL_[\w/]*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)$/, 'TLS_NOT_SUPPORTED_OUTDATED'],
];

/** Node has this code for all other faults that OpenSSL finds in a certificate: "EE certificate key too weak". */
const OTHER_FAULT = 'UNSPECIFIED';

/** The reason why a source cannot be reached (decisions 2), from an error or its causes; null when it is not certain. */
export function unreachableReason(error: unknown): UnreachableReason | null {
  const seen = new Set<unknown>();
  let each = error;
  while (typeof each === 'object' && each !== null && !seen.has(each)) {
    seen.add(each);
    if (each instanceof Unreachable) return each.exactReason;
    const { code, level, name, message, cause } = each as Readonly<
      Record<'code' | 'level' | 'name' | 'message' | 'cause', unknown>
    >;
    if (code === OTHER_FAULT) {
      return /\btoo weak\b/.test(String(message)) ? 'CERTIFICATE_INVALID_WEAK' : 'CERTIFICATE_INVALID';
    }
    const codes = [code, level, name].filter((part) => typeof part === 'string');
    const found = REASONS.find(([pattern]) => codes.some((part) => pattern.test(part)));
    if (found) return found[1];
    each = cause;
  }
  return null;
}

/** The reason as the API reports it. */
export function unreachableCode(error: unknown): UnreachableCode | null {
  const reason = unreachableReason(error);
  return reason && (reasonCode(reason) as UnreachableCode);
}
