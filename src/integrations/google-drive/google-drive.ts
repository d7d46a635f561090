import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { googleOAuth } from '../shared/google/google-oauth';
import { DriveApi } from './drive-api';
import { driveFields, type DriveSession, STEP1 } from './fields';
import { findFolders, listFolders } from './folders';
import { listDocuments } from './list-documents';
import { openFile } from './open-file';

/** Google Drive (API v3): the user's own files and those of shared drives, Google's own documents as PDF. */
export const googleDrive = openingFiles(
  defineIntegration({
    id: 'google_drive',
    name: { en: 'Google Drive', de: 'Google Drive' },
    category: 'CLOUD_STORAGE',
    authType: 'OAUTH2',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: true,
    step1: STEP1,
    worksWithoutStep2: true,
    rateLimits: { concurrency: 8, requestsPerSecond: 10 },
    apiBaseUrl: 'https://www.googleapis.com',
    oauth: googleOAuth('https://www.googleapis.com/auth/drive.readonly'),

    async check(session: DriveSession) {
      const { permissionId, emailAddress, displayName } = await new DriveApi(session).user();
      return { id: permissionId, display: emailAddress ?? displayName ?? permissionId };
    },

    async step2(session: DriveSession) {
      return driveFields(await listFolders(new DriveApi(session)));
    },

    async options(session: DriveSession, fieldId: string, parentId?: string) {
      return fieldId === 'folders' ? listFolders(new DriveApi(session), parentId) : [];
    },

    async resolve(session: DriveSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(new DriveApi(session), values);
    },

    list: (session: DriveSession, cursor: Json, startdate: string | null) => listDocuments(session, cursor, startdate),
    download: (session: DriveSession, ref) => openFile(session, ref),
  }),
);
