import type { RequestTarget } from '../../shared/http/redirects';
import { SelectionNotFound, EndpointNotFound } from '../../core/source-errors';
import type { DavClient } from '../client/dav-client';
import { decodeSegment, encodePath } from '../client/dav-path';
import type { WebdavSession } from '../fields';
import { PRINCIPAL, PROPERTIES_WITH_IDS } from '../client/multistatus';

/** The user's start folder on the server. Stored in the cursor. */
export type Home = {
  readonly origin: string;
  /** Percent-encoded, with a trailing `/`. */
  readonly path: string;
  /** The server's name of the user, independent of how the user logs in (name, e-mail address). */
  readonly user: string;
  /** Whether files have ids, as in Nextcloud and ownCloud. */
  readonly hasIds: boolean;
  /** Whether it was found by a redirect, which may change. */
  readonly isRedirected: boolean;
};

/** The root of the DAV tree of Nextcloud and ownCloud, below the web address. */
const DAV_ROOT = 'remote.php/dav/';
/** The root for servers without user principals. */
const OLD_ROOT = 'remote.php/webdav/';

/** Finds the start folder and verifies that the server supports WebDAV. Throws `EndpointNotFound` and what requests throw. */
export async function findHome(client: DavClient, fields: WebdavSession['fields']): Promise<Home> {
  try {
    return await homeAt(client, fields);
  } catch (error) {
    throw error instanceof SelectionNotFound ? new EndpointNotFound(error.message, 'url', { cause: error }) : error;
  }
}

async function homeAt(client: DavClient, { layout, url, user }: WebdavSession['fields']): Promise<Home> {
  const given = new URL(url);
  const base: RequestTarget = {
    origin: given.origin,
    path: given.pathname.endsWith('/') ? given.pathname : `${given.pathname}/`,
  };
  if (layout !== 'nextcloud' || base.path.includes('/remote.php/')) return homeFrom(client, base, user);

  const web = { ...base, path: base.path.replace(/\/index\.php\/.*$/, '/') };
  const root: RequestTarget = { ...web, path: web.path + DAV_ROOT };
  const found = await findUser(client, root);
  if (!found) return homeFrom(client, { ...web, path: web.path + OLD_ROOT }, user);
  const { at, user: name } = found;
  const path = `${at.path}files/${encodePath(name)}/`;
  return { origin: at.origin, path, user: name, hasIds: true, isRedirected: !isSame(at, root) };
}

/** The logged-in user (RFC 5397): the last segment of the principal's path. */
async function findUser(client: DavClient, target: RequestTarget): Promise<{ at: RequestTarget; user: string } | null> {
  try {
    const { resource, target: at } = await client.propfindOne(target, PRINCIPAL);
    const user = decodeSegment(resource.principal?.replace(/\/+$/, '').split('/').at(-1) ?? '');
    return user === '' ? null : { at: withSlash(at), user };
  } catch (error) {
    if (error instanceof SelectionNotFound) return null;
    throw error;
  }
}

async function homeFrom(client: DavClient, target: RequestTarget, user: string): Promise<Home> {
  const { resource, target: at } = await client.propfindOne(target, PROPERTIES_WITH_IDS);
  if (!resource.isFolder) throw new SelectionNotFound('WebDAV: the address is a file.');
  const place = withSlash(at);
  return { ...place, user, hasIds: resource.fileId !== undefined, isRedirected: !isSame(place, target) };
}

function isSame(one: RequestTarget, other: RequestTarget): boolean {
  return one.origin === other.origin && one.path === other.path;
}

function withSlash({ origin, path }: RequestTarget): RequestTarget {
  const plain = path.replace(/[?].*$/, '');
  return { origin, path: plain.endsWith('/') ? plain : `${plain}/` };
}
