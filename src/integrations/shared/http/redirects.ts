import type { IncomingHttpHeaders } from 'node:http';
import { SelectionNotFound } from '../../core/source-errors';

/** The target of a request. The path is percent-encoded, includes the query and is sent unchanged: `..` is not resolved. */
export interface RequestTarget {
  /** `https://host:port`, without the default port. */
  readonly origin: string;
  readonly path: string;
}

export const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECT_STATUSES.has(status);

/** Where a redirect leads. @throws SelectionNotFound when it is invalid or gives up encryption; `label` is for messages */
export function redirectTarget(
  label: string,
  { origin, path }: RequestTarget,
  location: string | string[] | undefined,
): RequestTarget {
  const url = typeof location === 'string' && URL.canParse(location, origin + path) && new URL(location, origin + path);
  if (!url || !/^https?:$/.test(url.protocol)) throw new SelectionNotFound(`${label}: an invalid redirect.`);
  if (origin.startsWith('https:') && url.protocol === 'http:') {
    throw new SelectionNotFound(`${label}: redirected to an unencrypted address.`);
  }
  return { origin: url.origin, path: url.pathname + url.search };
}

/** Whether both are the same host, on the default http port and the default https port. */
export function isUpgrade(from: string, to: string): boolean {
  if (!to.startsWith('https:')) return false; // the origin is `null` for other schemes than http and https
  const [before, after] = [new URL(from), new URL(to)];
  const isDefaultPort = before.port === '' && after.port === '';
  return (
    isDefaultPort && before.hostname === after.hostname && before.protocol === 'http:' && after.protocol === 'https:'
  );
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly target: RequestTarget;
}

/** Whether a response redirects to https on the same host, to which the secrets may be sent. */
export function isUpgradeRedirect({ status, headers: { location }, target: { origin, path } }: Response): boolean {
  if (!isRedirect(status) || !location) return false;
  return URL.canParse(location, origin + path) && isUpgrade(origin, new URL(location, origin + path).origin);
}
