import { defineIntegration } from '../integration';
import type { Json } from '../source-document';
import { DriveApi } from './drive-api';
import { driveFields, type DriveSession, STEP1 } from './fields';
import { findFolders, listFolders } from './folders';
import { listDocuments } from './list-documents';
import { openFile } from './open-file';

/** Google Drive (API v3): the user's own files and those of shared drives, Google's own documents as PDF. */
export const googleDrive = defineIntegration({
  id: 'google_drive',
  name: { en: 'Google Drive', de: 'Google Drive' },
  category: 'CLOUD_STORAGE',
  authType: 'OAUTH2',
  documentTypes: ['invoice', 'credit_note', 'document'],
  providesExternalId: true,
  step1: STEP1,
  worksWithoutStep2: true,
  politeness: { concurrency: 8, requestsPerSecond: 10 },
  apiBaseUrl: 'https://www.googleapis.com',
  oauth: {
    issuer: 'https://accounts.google.com',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
    // Without the first there is no refresh token; without the second only for the first consent of an account.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    clientAuth: 'post',
  },

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
  open: (session: DriveSession, ref) => openFile(session, ref),
});
