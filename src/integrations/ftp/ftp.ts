import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { syncTree, type TreeCursor } from '../shared/tree-sync/tree-sync';
import { fileSelection } from '../shared/tree-sync/selection/file-selection';
import { fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';
import { connect, portOf } from './connect';
import { STEP1, type FtpSession } from './fields';
import { findFolders, listFolders } from './folders';
import { FtpPool } from './ftp-pool';
import { FtpTree } from './ftp-tree';
import { START_FOLDER } from './listing/list-folder';
import { openFile } from './open-file';

/** Files on an FTP server (RFC 959 and 3659), with TLS (RFC 4217) or without: every file in the selected folders is a document. */
export const ftp = openingFiles(
  defineIntegration({
    id: 'ftp',
    name: { en: 'FTP server (FTPS)', de: 'FTP-Server (FTPS)' },
    category: 'CLOUD_STORAGE',
    maturity: 'STABLE',
    authType: 'CREDENTIALS',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: false,
    step1: STEP1,
    typedServer: {
      proof: 'CERTIFICATE',
      address: (fields) => (fields.security === 'NONE' ? null : { host: fields.host, port: portOf(fields) }),
    },
    worksWithoutStep2: true,
    // One connection per download, of which servers allow few.
    rateLimits: { concurrency: 4, requestsPerSecond: 10, requestsPerSecondPerHost: 50 },

    async check(session: FtpSession) {
      const { host, user } = session.fields;
      // Logs in and releases the connection.
      await (await poolOf(session)).use(() => Promise.resolve());
      return { id: `${user}@${host.toLowerCase()}:${portOf(session.fields)}`, display: `${user}@${host}` };
    },

    async step2(session: FtpSession) {
      return fileSelectionFields(await listFolders(await poolOf(session)), START_FOLDER);
    },

    async options(session: FtpSession, fieldId: string, parentId?: string) {
      if (fieldId !== 'folders') return [];
      return listFolders(await poolOf(session), parentId);
    },

    async resolve(session: FtpSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(await poolOf(session), values);
    },

    async *list(session: FtpSession, cursor: Json, startdate: string | null) {
      const selection = fileSelection(session.step2, START_FOLDER, startdate, session.fields.time_zone);
      const tree = new FtpTree(await poolOf(session), session.now, selection.since);
      yield* syncTree(tree, selection, session, cursor as TreeCursor | null);
    },

    async download(session: FtpSession, ref) {
      return openFile(await poolOf(session), ref, session.signal);
    },
  }),
);

/** The session's connections. */
function poolOf(session: FtpSession): Promise<FtpPool> {
  const { network, signal, fields, trust } = session;
  return session.shared(
    'ftp',
    async () => new FtpPool(() => connect(fields, network, trust, signal), signal),
    (pool) => pool.close(),
  );
}
