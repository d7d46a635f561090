import type { Target } from '../shared/http/http-source';
import { ConfigurationGone } from '../source-errors';
import type { DavClient } from './dav-client';
import { decodeSegment, encodePath } from './dav-path';
import type { WebdavSession } from './fields';
import { PRINCIPAL } from './multistatus';

/** The user's start folder on the server. */
export interface Home {
  readonly origin: string;
  /** Percent-encoded, with a `/` in the end. */
  readonly path: string;
  /** The server's own name for the user, which is the same however the user logs in (name, e-mail address). */
  readonly user: string;
}

/** Where the DAV tree of Nextcloud and ownCloud begins, below the address of the web page. */
const DAV_ROOT = 'remote.php/dav/';
/** The same files, where a server knows no user behind a login. */
const OLD_ROOT = 'remote.php/webdav/';

/** Finds the folder that everything begins at, and that there is WebDAV at all. Throws `ConfigurationGone` and what requests throw. */
export async function findHome(client: DavClient, { provider, url, user }: WebdavSession['fields']): Promise<Home> {
  const given = new URL(url);
  const path = given.pathname.endsWith('/') ? given.pathname : `${given.pathname}/`;
  const base: Target = { origin: given.origin, path };
  if (provider === 'other' || path.includes('/remote.php/')) return enter(client, base, user);

  const web = { ...base, path: path.replace(/\/index\.php\/.*$/, '/') };
  const found = await findUser(client, { ...web, path: web.path + DAV_ROOT });
  if (!found) return enter(client, { ...web, path: web.path + OLD_ROOT }, user);
  return { origin: found.at.origin, path: `${found.at.path}files/${encodePath(found.user)}/`, user: found.user };
}

/** Who is logged in, by RFC 5397: the last segment of the principal's path. */
async function findUser(client: DavClient, target: Target): Promise<{ at: Target; user: string } | null> {
  try {
    const { resource, target: at } = await client.look(target, PRINCIPAL);
    const user = decodeSegment(resource.principal?.replace(/\/+$/, '').split('/').at(-1) ?? '');
    return user === '' ? null : { at: withSlash(at), user };
  } catch (error) {
    if (error instanceof ConfigurationGone) return null;
    throw error;
  }
}

async function enter(client: DavClient, target: Target, user: string): Promise<Home> {
  const { resource, target: at } = await client.look(target);
  if (!resource.isFolder) throw new ConfigurationGone('WebDAV: the address is that of a file.');
  return { ...withSlash(at), user };
}

function withSlash({ origin, path }: Target): Target {
  const plain = path.replace(/[?].*$/, '');
  return { origin, path: plain.endsWith('/') ? plain : `${plain}/` };
}
