import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { API, DropboxApi } from './dropbox-api';
import { dropboxFields, type DropboxSession, STEP1 } from './fields';
import { findFolders, listFolders } from './folders';
import { listDocuments } from './list-documents';
import { openFile } from './open-file';

/** Dropbox (API v2): the user's own files, those of shared folders and of the team space; Paper exported. */
export const dropbox = openingFiles(
  defineIntegration({
    id: 'dropbox',
    name: { en: 'Dropbox', de: 'Dropbox' },
    category: 'CLOUD_STORAGE',
    authType: 'OAUTH2',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: true,
    step1: STEP1,
    worksWithoutStep2: true,
    rateLimits: { concurrency: 8, requestsPerSecond: 10 },
    apiBaseUrl: API,
    oauth: {
      issuer: 'https://www.dropbox.com',
      authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
      tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
      revokeUrl: 'https://api.dropboxapi.com/2/auth/token/revoke',
      revokedBy: 'bearer',
      scopes: ['account_info.read', 'files.metadata.read', 'files.content.read'],
      // Without it there is no refresh token.
      authorizeParameters: { token_access_type: 'offline' },
      clientAuth: 'post',
    },

    async check(session: DropboxSession) {
      const { account_id: id, email, name } = await DropboxApi.account(session);
      return { id, display: email ?? name?.display_name ?? id };
    },

    async step2(session: DropboxSession) {
      return dropboxFields(await listFolders(await DropboxApi.open(session)));
    },

    async options(session: DropboxSession, fieldId: string, parentId?: string) {
      return fieldId === 'folders' ? listFolders(await DropboxApi.open(session), parentId) : [];
    },

    async resolve(session: DropboxSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(await DropboxApi.open(session), values);
    },

    list: (session: DropboxSession, cursor: Json, startdate: string | null) =>
      listDocuments(session, cursor, startdate),
    download: (session: DropboxSession, ref) => openFile(session, ref),
  }),
);
