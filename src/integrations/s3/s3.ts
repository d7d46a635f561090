import { configuredAddress } from '../../platform/storage/bucket-address';
import { defineIntegration } from '../core/integration';
import { openingFiles } from '../shared/tree-sync/contents/opening-files';
import type { Json } from '../core/source-document';
import { secureServerOf } from '../core/server-trust';
import { syncTree, type TreeCursor } from '../shared/tree-sync/tree-sync';
import { fileSelection } from '../shared/tree-sync/selection/file-selection';
import { fileSelectionFields } from '../shared/tree-sync/selection/file-selection-fields';
import { STEP1, type S3Session } from './fields';
import { findFolders, listFolders } from './folders';
import { listObjects } from './list-objects';
import { openObject } from './open-object';
import { S3Client } from './s3-client';
import { S3Tree, START_FOLDER, withoutSlash } from './s3-tree';

/** Objects in a bucket of Amazon S3 or a compatible service: every object below the selected prefixes is a document. */
export const s3 = openingFiles(
  defineIntegration({
    id: 's3',
    name: { en: 'S3 storage', de: 'S3-Speicher' },
    category: 'CLOUD_STORAGE',
    maturity: 'STABLE',
    authType: 'CREDENTIALS',
    documentTypes: ['invoice', 'credit_note', 'document'],
    // The object's key.
    providesExternalId: true,
    step1: STEP1,
    typedServer: {
      proof: 'CERTIFICATE',
      address: (place) => (place.endpoint === undefined ? null : secureServerOf(configuredAddress(place).origin)),
    },
    worksWithoutStep2: true,
    // Amazon allows 5,500 reads per second and prefix; smaller servers respond with throttling errors.
    rateLimits: { concurrency: 8, requestsPerSecond: 2000, requestsPerSecondPerHost: 4000 },

    async check(session: S3Session) {
      const client = await clientOf(session);
      for await (const _ of listObjects(client, { prefix: '', pageSize: 1 })) break;
      const { bucket } = session.fields;
      // The id does not depend on the keys, which may be rotated.
      return { id: `${client.host}/${bucket}`, display: `${bucket} (${client.host})` };
    },

    async step2(session: S3Session) {
      return fileSelectionFields(await listFolders(await clientOf(session)), START_FOLDER);
    },

    async options(session: S3Session, fieldId: string, parentId?: string) {
      if (fieldId !== 'folders') return [];
      return listFolders(await clientOf(session), parentId);
    },

    async resolve(session: S3Session, fieldId: string, values: readonly string[]) {
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      return findFolders(await clientOf(session), values, foldersOf(session));
    },

    async *list(session: S3Session, cursor: Json, startdate: string | null) {
      const folders = foldersOf(session).map(withoutSlash);
      const selection = fileSelection({ ...session.step2, folders }, START_FOLDER, startdate, session.fields.time_zone);
      const tree = new S3Tree(await clientOf(session));
      yield* syncTree(tree, selection, session, cursor as TreeCursor | null, { filesAppearWhole: true });
    },

    async download(session: S3Session, ref) {
      return openObject(await clientOf(session), ref);
    },
  }),
);

const foldersOf = ({ step2: { folders } }: S3Session): string[] =>
  Array.isArray(folders) ? (folders as string[]) : [];

/** The session's client, which determines the bucket's region once for all requests. */
function clientOf(session: S3Session): Promise<S3Client> {
  const { network, signal, fields, now, trust } = session;
  const { access_key: accessKey, secret_key: secretKey, ...place } = fields;
  return session.shared(
    's3',
    () => Promise.resolve(new S3Client(network, signal, place, { accessKey, secretKey }, now, trust)),
    ({ http }) => http.close(),
  );
}
