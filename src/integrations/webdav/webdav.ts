import { defineIntegration } from '../integration';
import type { Json } from '../source-document';
import { walk, type WalkCursor } from '../shared/walk/walk';
import { walkChoice } from '../shared/walk/walk-choice';
import { walkFields } from '../shared/walk/walk-fields';
import { DavClient } from './dav-client';
import { findHome, type Home } from './dav-home';
import { DavTree, START_FOLDER } from './dav-tree';
import { STEP1, type WebdavSession } from './fields';
import { findFolders, listFolders } from './folders';
import { openFile } from './open-file';

/** Files on a WebDAV server (RFC 4918), Nextcloud and ownCloud among them: every file in the chosen folders is a document. */
export const webdav = defineIntegration({
  id: 'webdav',
  name: { en: 'Nextcloud, ownCloud and WebDAV', de: 'Nextcloud, ownCloud und WebDAV' },
  category: 'CLOUD_STORAGE',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note', 'document'],
  // Nextcloud's and ownCloud's ids of files; other servers have none, and it is null.
  providesExternalId: true,
  step1: STEP1,
  worksWithoutStep2: true,
  // Six at once are what a browser does; the rates only stop what gets out of hand.
  politeness: { concurrency: 6, requestsPerSecond: 2000, requestsPerSecondPerHost: 4000 },

  async check(session: WebdavSession) {
    const { home } = await openTree(session);
    const { host } = new URL(home.origin);
    return { id: `${home.user}@${host}`, display: `${home.user}@${host}` };
  },

  async step2(session: WebdavSession) {
    return walkFields(await listFolders((await openTree(session)).tree), START_FOLDER);
  },

  async options(session: WebdavSession, fieldId: string, parentId?: string) {
    if (fieldId !== 'folders') return [];
    return listFolders((await openTree(session)).tree, parentId);
  },

  async resolve(session: WebdavSession, fieldId: string, values: readonly string[]) {
    if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
    return findFolders((await openTree(session)).tree, values);
  },

  async *list(session: WebdavSession, cursor: Json, startdate: string | null) {
    const choice = walkChoice(session.step2, START_FOLDER, startdate, session.fields.time_zone);
    yield* walk((await openTree(session)).tree, choice, session, cursor as WalkCursor | null);
  },

  async open(session: WebdavSession, ref) {
    return openFile((await openTree(session)).tree, ref);
  },
});

/** The user's files, found once per session. */
function openTree(session: WebdavSession): Promise<{ tree: DavTree; home: Home }> {
  return session.shared(
    'webdav',
    async () => {
      const client = new DavClient(session.network, session.signal, session.fields, session.now);
      const home = await findHome(client, session.fields);
      return { tree: new DavTree(client, home), home };
    },
    () => undefined,
  );
}
