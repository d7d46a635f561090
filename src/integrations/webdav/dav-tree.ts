import type { RequestTarget } from '../shared/http/redirects';
import type { SourceHttpResponse, SourceHttpClient } from '../shared/http/source-http-client';
import type { Tree, TreeFile, TreeFolder } from '../shared/tree-sync/files/tree';
import { SelectionNotFound, UnexpectedResponse, InvalidCredentials } from '../core/source-errors';
import type { DavClient } from './client/dav-client';
import type { Home } from './home/dav-home';
import { decodeSegment, encodePath } from './client/dav-path';
import { type Child, type ResourceProperties, FolderListing } from './folder-listing';
import { PROPERTIES, PROPERTIES_WITH_IDS, readMultistatus, type Resource } from './client/multistatus';

/** The home folder; all other paths are relative to it. */
export const START_FOLDER = '.';

/** The files of a WebDAV server, below the user's home. */
export class DavTree implements Tree {
  constructor(
    readonly client: DavClient,
    private currentHome: Home,
  ) {}

  get home(): Home {
    return this.currentHome;
  }

  /** Changes the home folder. */
  moveTo(home: Home): void {
    this.currentHome = home;
  }

  async *list(folder: string): AsyncGenerator<(TreeFile | TreeFolder)[]> {
    for await (const found of this.children(folder)) {
      yield found.flatMap(({ path, properties }) => entry(path, properties));
    }
  }

  async stat({ path }: TreeFile): Promise<TreeFile | null> {
    const resource = await this.find(path);
    return (resource && fileOf(path, resource)) ?? null;
  }

  /** The properties of a file or folder; null when it does not exist or is not accessible. */
  async find(path: string): Promise<Resource | null> {
    try {
      const request = this.client.propfindOne(this.target(path), this.properties);
      return (await this.checkLogin(path, request)).resource;
    } catch (error) {
      if (error instanceof SelectionNotFound) return null;
      throw error;
    }
  }

  /** Lists a folder in portions. Throws `SelectionNotFound` when it does not exist. */
  async *children(folder: string): AsyncGenerator<{ path: string; properties: ResourceProperties }[]> {
    // With a trailing slash, because most servers redirect otherwise.
    const { origin, path } = this.target(folder);
    const requested = path.endsWith('/') ? path : `${path}/`;
    const response = await this.checkLogin(
      folder,
      this.client.propfind({ origin, path: requested }, 1, this.properties),
    );
    const ownPath = async () =>
      (await this.client.propfindOne({ origin, path: requested }, this.properties)).resource.href;
    const listing = await FolderListing.of(childrenIn(this.client.http, response, ownPath));
    for (const children of listing.take()) {
      yield children.map(({ name, properties }) => ({
        path: folder === START_FOLDER ? name : `${folder}/${name}`,
        properties,
      }));
    }
  }

  /** Requests the home folder, like the check. Throws `InvalidCredentials` when the login is rejected there, too. */
  async assertLoggedIn(): Promise<void> {
    await this.client.propfindOne(this.target(START_FOLDER), this.properties);
  }

  /**
   * Some servers answer 401 to a known user without access (Apache's `Require user`). The login counts as rejected only when the
   * home folder is rejected as well.
   */
  private async checkLogin<T>(path: string, requested: Promise<T>): Promise<T> {
    try {
      return await requested;
    } catch (error) {
      if (!(error instanceof InvalidCredentials) || path === START_FOLDER) throw error;
      await this.assertLoggedIn();
      throw new SelectionNotFound('WebDAV: no access (status 401).', { cause: error });
    }
  }

  private get properties(): string {
    return this.home.hasIds ? PROPERTIES_WITH_IDS : PROPERTIES;
  }

  target(path: string): RequestTarget {
    const { origin, path: home } = this.home;
    return { origin, path: path === START_FOLDER ? home : home + encodePath(path) };
  }
}

/**
 * The children of a folder in a response. Servers behind a proxy may know the folder by another path than the requested one: they
 * list it first (RFC 4918 section 9.1), or return it in a request for the folder alone (`ownPath`). Throws `UnexpectedResponse`,
 * `ConnectionLost`, and what `ownPath` throws.
 */
async function* childrenIn(
  http: SourceHttpClient,
  response: SourceHttpResponse,
  ownPath: () => Promise<string>,
): AsyncGenerator<Child[]> {
  const requested = segmentsOf(response.target.path);
  let base: readonly string[] | undefined;
  /** The first resource, while it may be a folder in the requested one or the requested folder itself by another path. */
  let first: { readonly path: readonly string[]; readonly child: Child } | undefined;
  for await (const resources of readMultistatus(http, response)) {
    const children: Child[] = [];
    for (const resource of resources) {
      const path = segmentsOf(resource.href);
      if (base === undefined) {
        base = resource.isFolder && !isIn(path, requested) ? path : requested;
        if (resource.isFolder && base === requested) {
          first = { path, child: { name: path.at(-1)!, properties: resource } };
          continue;
        }
      } else if (first) {
        if (isIn(path, first.path)) base = first.path;
        else children.push(first.child);
        first = undefined;
      }
      if (isSame(path, base)) continue;
      if (!isIn(path, base)) throw new UnexpectedResponse('WebDAV: a folder lists an entry outside of it.');
      children.push({ name: path.at(-1)!, properties: resource });
    }
    yield children.filter(isNamed);
  }
  if (first && !isSame(segmentsOf(await ownPath()), first.path)) yield [first.child].filter(isNamed);
}

/** Excludes relative names. */
function isNamed({ name }: Child): boolean {
  return name !== '.' && name !== '..';
}

function entry(path: string, properties: ResourceProperties): (TreeFile | TreeFolder)[] {
  if (!properties.isFolder) return [fileOf(path, properties)!];
  // Only servers with file ids change the ETag of a folder with everything below it.
  const version = properties.fileId === undefined ? undefined : properties.etag;
  return [{ kind: 'folder', path, ...(version !== undefined && { version }) }];
}

function fileOf(path: string, { isFolder, size, modifiedAt, etag, fileId }: ResourceProperties): TreeFile | undefined {
  if (isFolder) return undefined;
  const version = etag ?? modifiedAt?.toISOString() ?? '';
  return {
    kind: 'file',
    path,
    size: size ?? null,
    modifiedAt,
    version,
    ...(fileId !== undefined && { externalId: fileId }),
  };
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((segment, n) => segment === other[n]);
}

/** Whether a path is directly in a folder. */
function isIn(path: readonly string[], folder: readonly string[]): boolean {
  return path.length === folder.length + 1 && folder.every((segment, n) => segment === path[n]);
}
