import type { TreeCursor } from '../../shared/tree-sync/tree-sync';
import { digest } from '../../shared/tree-sync/selection/file-selection';
import type { Home } from './dav-home';
import type { DavTree } from '../dav-tree';
import type { WebdavSession } from '../fields';

/** The cached result of finding the user's files, which costs up to three round trips, most of a fetch without new files. Stored in the cursor. */
export type CachedEndpoint = {
  /** The digest of the address and user that it belongs to. */
  readonly of: string;
  readonly home: Home;
  /** Whether the server accepts Basic, so that the scheme need not be requested. Digest is not cached, because its challenges change. */
  readonly takesBasic: boolean;
};

/** The cursor of a listing, with the endpoint that was found. */
export type WebdavCursor = TreeCursor & { readonly cachedEndpoint?: CachedEndpoint };

/** The cached endpoint, unless the user has changed the server. */
export function cachedEndpoint(
  cursor: WebdavCursor | null,
  fields: WebdavSession['fields'],
): CachedEndpoint | undefined {
  return cursor?.cachedEndpoint?.of === digestOf(fields) ? cursor.cachedEndpoint : undefined;
}

/** The endpoint to cache; undefined when it was found by a redirect, which may change. */
export function endpointToCache(
  { home, client: { takesBasic } }: DavTree,
  fields: WebdavSession['fields'],
): CachedEndpoint | undefined {
  return home.isRedirected ? undefined : { of: digestOf(fields), home, takesBasic };
}

function digestOf({ layout, url, user }: WebdavSession['fields']): string {
  return digest([layout, url, user]);
}
