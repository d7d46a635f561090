import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound } from '../core/source-errors';
import { secureServerOf } from '../core/server-trust';
import { syncTree } from '../shared/tree-sync/tree-sync';
import { type FileSelection, fileSelection } from '../shared/tree-sync/selection/file-selection';
import { fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';
import { DavClient } from './client/dav-client';
import { findHome } from './home/dav-home';
import { DavTree, START_FOLDER } from './dav-tree';
import { STEP1, type WebdavSession } from './fields';
import { findFolders, listFolders } from './folders';
import { openFile } from './open-file';
import { cachedEndpoint, type CachedEndpoint, endpointToCache, type WebdavCursor } from './home/endpoint-cache';

/** Files on a WebDAV server (RFC 4918): every file in the selected folders is a document. */
export const webdav = openingFiles(
  defineIntegration({
    id: 'webdav',
    name: { en: 'WebDAV', de: 'WebDAV' },
    category: 'CLOUD_STORAGE',
    maturity: 'STABLE',
    authType: 'CREDENTIALS',
    documentTypes: ['invoice', 'credit_note', 'document'],
    // The file ids of Nextcloud and ownCloud; null for other servers.
    providesExternalId: true,
    step1: STEP1,
    typedServer: { proof: 'CERTIFICATE', address: ({ url }) => secureServerOf(url) },
    worksWithoutStep2: true,
    // Six concurrent requests, like a browser; the rates are only a safeguard.
    rateLimits: { concurrency: 6, requestsPerSecond: 2000, requestsPerSecondPerHost: 4000 },

    async check(session: WebdavSession) {
      const { home } = await openTree(session);
      const { host } = new URL(home.origin);
      return { id: `${home.user}@${host}`, display: `${home.user}@${host}` };
    },

    async step2(session: WebdavSession) {
      return fileSelectionFields(await listFolders(await openTree(session)), START_FOLDER);
    },

    async options(session: WebdavSession, fieldId: string, parentId?: string) {
      if (fieldId !== 'folders') return [];
      return listFolders(await openTree(session), parentId);
    },

    async resolve(session: WebdavSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(await openTree(session), values);
    },

    async *list(session: WebdavSession, cursor: Json, startdate: string | null) {
      const selection = fileSelection(session.step2, START_FOLDER, startdate, session.fields.time_zone);
      const before = cursor as WebdavCursor | null;
      const cached = cachedEndpoint(before, session.fields);
      const tree = await openTree(session, cached);
      try {
        yield* syncFrom(tree, selection, session, before);
      } catch (error) {
        // The files may have moved.
        if (!(error instanceof SelectionNotFound) || !cached || !(await hasMoved(tree, session))) throw error;
        yield* syncFrom(tree, selection, session, before);
      }
    },

    async download(session: WebdavSession, ref) {
      return openFile(await openTree(session), ref);
    },
  }),
);

/** The user's files. The endpoint is found once per session, unless it is cached. */
function openTree(session: WebdavSession, cached?: CachedEndpoint): Promise<DavTree> {
  return session.shared(
    'webdav',
    async () => {
      const scheme = cached?.takesBasic ? 'basic' : undefined;
      const { network, signal, fields, now, trust } = session;
      const client = new DavClient(network, signal, fields, now, trust, scheme);
      return new DavTree(client, cached?.home ?? (await findHome(client, session.fields)));
    },
    ({ client }) => client.http.close(),
  );
}

async function* syncFrom(
  tree: DavTree,
  selection: FileSelection,
  session: WebdavSession,
  before: WebdavCursor | null,
): AsyncGenerator<SourcePage<WebdavCursor>> {
  for await (const page of syncTree(tree, selection, session, before)) {
    const cachedEndpoint = endpointToCache(tree, session.fields);
    yield { ...page, cursor: { ...page.cursor, ...(cachedEndpoint && { cachedEndpoint }) } };
  }
}

/** Finds the endpoint again and returns whether it has changed. */
async function hasMoved(tree: DavTree, { fields }: WebdavSession): Promise<boolean> {
  const [before, now] = [tree.home, await findHome(tree.client, fields)];
  tree.moveTo(now);
  return before.origin !== now.origin || before.path !== now.path;
}
