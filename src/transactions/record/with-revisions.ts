import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { DocumentOrigin, NewDocument } from './record-document';

/**
 * Numbers further versions of files in `metadata.revision` (decisions 4): documents whose source has an id for the file and states
 * that it has changed, and whose content is another one. Each earlier version is a transaction with that id.
 */
export async function withRevisions(
  em: EntityManager,
  { connectionUuid }: DocumentOrigin,
  documents: readonly NewDocument[],
): Promise<readonly NewDocument[]> {
  const ids = documents.flatMap((document) => (isVersion(document) ? [storedId(document)] : []));
  if (ids.length === 0) return documents;
  const rows = await sql<{ external_id: string; versions: number }>(
    em,
    // External ids may be longer than an index allows.
    `select external_id, count(*)::int as versions from transaction
     where connection_uuid = $1 and md5(external_id) = any(select md5(id) from unnest($2::text[]) as id)
       and external_id = any($2::text[]) and external_id is not null and dedupe_key like 'content:%'
     group by external_id`,
    [connectionUuid, ids],
  );
  const versions = new Map(rows.map((row) => [row.external_id, row.versions]));
  return documents.map((document) => {
    const earlier = isVersion(document) ? versions.get(storedId(document)) : undefined;
    return earlier ? { ...document, metadata: { ...document.metadata, revision: earlier + 1 } } : document;
  });
}

/** The id as the database has it, which cannot store this character. */
const storedId = ({ externalId }: { readonly externalId: string }): string => externalId.replaceAll('\0', '');

/** Whether a document is a version of a file that the source has an id for. */
function isVersion(document: NewDocument): document is NewDocument & { readonly externalId: string } {
  return document.externalId !== null && document.dedupeKey.startsWith('content:');
}
