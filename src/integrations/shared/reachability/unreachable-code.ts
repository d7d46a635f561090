import { Transient, type UnreachableCode } from '../../core/source-errors';

/** The source cannot be reached, for a reason that no network error code expresses. */
export class Unreachable extends Transient {
  constructor(
    message: string,
    readonly code: UnreachableCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error codes of resolver, sockets, TLS, undici, imapflow and ssh2. */
const CODES: readonly [RegExp, UnreachableCode][] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/, 'HOST_NOT_FOUND'],
  [/^ECONNREFUSED$/, 'CONNECTION_REFUSED'],
  [/^(ETIMEDOUT|ETIMEOUT|GREETING_TIMEOUT|CONNECT_TIMEOUT|UPGRADE_TIMEOUT|client-timeout)$/, 'TIMED_OUT'],
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|TimeoutError)$/, 'TIMED_OUT'],
  [/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/, 'CERTIFICATE_INVALID'],
  // The response does not start with a TLS record.
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, 'TLS_NOT_SUPPORTED'],
];

/** The reason why a source cannot be reached (decisions 2), from an error or its causes; null when it is not certain. */
export function unreachableCode(error: unknown): UnreachableCode | null {
  const seen = new Set<unknown>();
  let each = error;
  while (typeof each === 'object' && each !== null && !seen.has(each)) {
    seen.add(each);
    if (each instanceof Unreachable) return each.code;
    const { code, level, name, cause } = each as Readonly<Record<'code' | 'level' | 'name' | 'cause', unknown>>;
    const codes = [code, level, name].filter((part) => typeof part === 'string');
    const found = CODES.find(([pattern]) => codes.some((part) => pattern.test(part)));
    if (found) return found[1];
    each = cause;
  }
  return null;
}
