import type { Request } from 'express';

/** A request of a web page, with the environments that allow the page's origin. */
export interface CrossOriginRequest extends Request {
  allowedBy?: ReadonlySet<string>;
}

/**
 * The origin (RFC 6454) of a web page of another origin that sends the request; the text `null` for a page without an origin. Null
 * for the service's own pages and for programs, which send no `Origin`.
 */
export function crossOriginOf({ headers }: Pick<Request, 'headers'>, publicUrl: string): string | null {
  const { origin } = headers;
  // Pages cannot set this header; it is correct even behind a proxy that hides the host that the browser sees.
  if (origin === undefined || headers['sec-fetch-site'] === 'same-origin') return null;
  return origin === new URL(publicUrl).origin || hostOf(origin) === headers.host ? null : origin;
}

/** Without the scheme, because it differs behind a proxy that terminates TLS. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);
