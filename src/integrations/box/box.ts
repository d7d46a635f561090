import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';
import { BoxApi } from './box-api';
import { ALL_FILES, type BoxSession, STEP1 } from './fields';
import { findFolders, listFolders } from './folders';
import { listDocuments } from './list-documents';
import { openFile } from './open-file';

/** Box (API 2.0): the user's own files and those that others share with them. */
export const box = openingFiles(
  defineIntegration({
    id: 'box',
    name: { en: 'Box', de: 'Box' },
    category: 'CLOUD_STORAGE',
    authType: 'OAUTH2',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: true,
    step1: STEP1,
    worksWithoutStep2: true,
    rateLimits: { concurrency: 8, requestsPerSecond: 10 },
    apiBaseUrl: 'https://api.box.com',
    oauth: {
      issuer: 'https://account.box.com',
      authorizeUrl: 'https://account.box.com/api/oauth2/authorize',
      tokenUrl: 'https://api.box.com/oauth2/token',
      revokeUrl: 'https://api.box.com/oauth2/revoke',
      // Box does not permit downloads with the read-only scope (`root_readonly`), because it records them. Nothing is changed.
      scopes: ['root_readwrite'],
      clientAuth: 'post',
    },

    async check(session: BoxSession) {
      const { id, login, name } = await new BoxApi(session).user();
      return { id, display: login ?? name ?? id };
    },

    async step2(session: BoxSession) {
      return fileSelectionFields(await listFolders(new BoxApi(session)), ALL_FILES);
    },

    async options(session: BoxSession, fieldId: string, parentId?: string) {
      return fieldId === 'folders' ? listFolders(new BoxApi(session), parentId) : [];
    },

    async resolve(session: BoxSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(new BoxApi(session), values);
    },

    list: (session: BoxSession, cursor: Json, startdate: string | null) => listDocuments(session, cursor, startdate),
    download: (session: BoxSession, ref) => openFile(session, ref),
  }),
);
