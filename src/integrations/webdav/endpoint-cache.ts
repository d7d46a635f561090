import type { TreeCursor } from '../shared/tree-sync/tree-sync';
import { digest } from '../shared/tree-sync/selection/file-selection';
import type { Home } from './dav-home';
import type { DavTree } from './dav-tree';
import type { WebdavSession } from './fields';

/** How the files were found the last time. To find them costs up to three round trips, which is most of a fetch that finds nothing new. */
export type CachedEndpoint = {
  /** For which address and user it holds. */
  readonly of: string;
  readonly home: Home;
  /** Whoever took Basic is not asked again how to log in. Of Digest nothing is kept: what it asks for is new every time. */
  readonly takesBasic: boolean;
};

/** What is remembered from one walk to the next. */
export type WebdavCursor = TreeCursor & { readonly wayIn?: CachedEndpoint };

/** The remembered way, unless the user has named another server since. */
export function cachedEndpoint(
  cursor: WebdavCursor | null,
  fields: WebdavSession['fields'],
): CachedEndpoint | undefined {
  return cursor?.wayIn?.of === nameOf(fields) ? cursor.wayIn : undefined;
}

/** The way by which these files have been found; undefined where it may lead elsewhere tomorrow. */
export function endpointToCache(
  { home, client: { takesBasic } }: DavTree,
  fields: WebdavSession['fields'],
): CachedEndpoint | undefined {
  return home.isRedirected ? undefined : { of: nameOf(fields), home, takesBasic };
}

function nameOf({ provider, url, user }: WebdavSession['fields']): string {
  return digest([provider, url, user]);
}
