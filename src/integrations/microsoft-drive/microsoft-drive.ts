import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json, SourceDocument } from '../core/source-document';
import { accountOf, GRAPH, graphOAuth } from '../shared/microsoft/graph-account';
import { GraphClient } from '../shared/microsoft/graph-client';
import { DriveApi } from './drive-api';
import { parseFileRef } from './drive-selection';
import { driveFields, type DriveSession, STEP1, wantsSharePoint } from './fields';
import { findFolders, listFolders } from './folders';
import { listDocuments } from './list-documents';

const apiOf = (session: DriveSession): DriveApi => new DriveApi(new GraphClient(session));

/** OneDrive and the document libraries of SharePoint, with them those of Teams, by Microsoft Graph. */
export const microsoftDrive = openingFiles(
  defineIntegration({
    id: 'microsoft_drive',
    name: { en: 'OneDrive and SharePoint', de: 'OneDrive und SharePoint' },
    category: 'CLOUD_STORAGE',
    authType: 'OAUTH2',
    documentTypes: ['invoice', 'credit_note', 'document'],
    providesExternalId: true,
    step1: STEP1,
    worksWithoutStep2: true,
    rateLimits: { concurrency: 4, requestsPerSecond: 10 },
    apiBaseUrl: GRAPH,
    oauth: graphOAuth(['Files.Read.All'], (step2) => (wantsSharePoint(step2) ? ['Sites.Read.All'] : [])),

    check: (session: DriveSession) => accountOf(new GraphClient(session)),

    async step2(session: DriveSession) {
      return driveFields(await listFolders(apiOf(session)));
    },

    async options(session: DriveSession, fieldId: string, parentId?: string) {
      return fieldId === 'folders' ? listFolders(apiOf(session), parentId) : [];
    },

    async resolve(session: DriveSession, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(apiOf(session), values);
    },

    list: (session: DriveSession, cursor: Json, startdate: string | null) => listDocuments(session, cursor, startdate),

    async download(session: DriveSession, ref): Promise<SourceDocument> {
      const locator = parseFileRef(ref.locator);
      const { stream, size } = await apiOf(session).content(locator);
      return { stream, filename: ref.filename, mimeType: locator.mimeType, ...(size !== undefined && { size }) };
    },
  }),
);
