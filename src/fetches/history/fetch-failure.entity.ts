import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentRef } from '../../integrations/core/source-document';

const schema = defineEntity({
  name: 'FetchFailure',
  tableName: 'fetch_failure',
  properties: {
    fetchUuid: p.uuid().primary(),
    dedupeKey: p.text().primary(),
    environmentUuid: p.uuid(),
    connectionUuid: p.uuid(),
    externalId: p.text().nullable(),
    filename: p.text(),
    code: p.text(),
    /** What `download` needs for a retry. */
    ref: p.json<DocumentRef>(),
    /** The next fetch retries the document while this is set. */
    open: p.boolean(),
    createdAt: p.datetime(3),
  },
});

/** A document that a fetch could not download; the next fetch retries it (decisions 4). */
export class FetchFailure extends schema.class {}
schema.setClass(FetchFailure);
