import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { syncTree, type TreeCursor } from '../shared/tree-sync/tree-sync';
import { fileSelection } from '../shared/tree-sync/selection/file-selection';
import { fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';
import { connect } from './connect';
import { STEP1, type SftpSession } from './fields';
import { findFolders, listFolders } from './folders';
import { openFile } from './open-file';
import { ReconnectingSftp } from './reconnecting-sftp';
import { SftpTree, START_FOLDER } from './sftp-tree';

/** Files on an SFTP server (SSH file transfer, version 3 of its drafts): every file in the selected folders is a document. */
export const sftp = openingFiles(
  defineIntegration({
    id: 'sftp',
    name: { en: 'SFTP server', de: 'SFTP-Server' },
    category: 'CLOUD_STORAGE',
    maturity: 'STABLE',
    authType: 'CREDENTIALS',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: false,
    step1: STEP1,
    typedServer: { proof: 'HOST_KEY', address: ({ host, port }) => ({ host, port }) },
    worksWithoutStep2: true,
    // All on one connection: a higher concurrency is not faster, and servers limit open files and connections.
    rateLimits: { concurrency: 8, requestsPerSecond: 10, requestsPerSecondPerHost: 50 },

    async check(session: SftpSession) {
      const { host, port, user } = session.fields;
      const connection = await (await reconnectingSftp(session)).connection();
      await connection.realpath(START_FOLDER);
      return { id: `${user}@${host.toLowerCase()}:${port}`, display: `${user}@${host}` };
    },

    async step2(session: SftpSession) {
      return fileSelectionFields(await listFolders(await (await reconnectingSftp(session)).connection()), START_FOLDER);
    },

    async options(session: SftpSession, fieldId: string, parentId?: string) {
      if (fieldId !== 'folders') return [];
      return listFolders(await (await reconnectingSftp(session)).connection(), parentId);
    },

    async resolve(session: SftpSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(await (await reconnectingSftp(session)).connection(), values);
    },

    async *list(session: SftpSession, cursor: Json, startdate: string | null) {
      const selection = fileSelection(session.step2, START_FOLDER, startdate, session.fields.time_zone);
      yield* syncTree(new SftpTree(await reconnectingSftp(session)), selection, session, cursor as TreeCursor | null);
    },

    async download(session: SftpSession, ref) {
      return openFile(await reconnectingSftp(session), ref);
    },
  }),
);

/** The session's connection, opened on first use. */
function reconnectingSftp(session: SftpSession): Promise<ReconnectingSftp> {
  const { host, port, user, password, private_key: privateKey, passphrase } = session.fields;
  const login = { host, port, user, password, privateKey, passphrase };
  return session.shared(
    'sftp',
    async () =>
      new ReconnectingSftp(() => connect(login, session.network, session.trust, session.signal), session.signal),
    (sftpConnections) => sftpConnections.close(),
  );
}
