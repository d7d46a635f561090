import type { UnsignedRequest } from '../../shared/rest/rest-request';

/**
 * How the requests of a provider are signed: the only code that a provider's file can name (`auth.type: signed`), and only one of the
 * build. It adds headers to a request and cannot send one. A request waits for the limits of the provider after it is signed, so
 * these have to keep the wait below the time for which the provider accepts a signature.
 */
export interface Signature {
  /** The values that it needs; `auth.with` states each of them. */
  readonly inputs: readonly string[];
  /**
   * The path below `base` at which the provider states its time in seconds, without credentials. Absent: the time of this server
   * counts, which providers compare with theirs.
   */
  readonly clock?: string;
  /** @param now the provider's time, as far as it is known */
  sign(
    request: UnsignedRequest,
    inputs: Readonly<Record<string, string>>,
    now: Date,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}
