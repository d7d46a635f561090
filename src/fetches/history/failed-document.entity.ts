import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentRef } from '../../integrations/core/source-document';

const schema = defineEntity({
  name: 'FailedDocument',
  tableName: 'failed_document',
  properties: {
    fetchUuid: p.uuid().primary(),
    dedupeKey: p.text().primary(),
    connectionUuid: p.uuid(),
    externalId: p.text().nullable(),
    filename: p.text(),
    code: p.text(),
    /** What `open` needs to try again. */
    ref: p.json<DocumentRef>(),
    /** The next fetch tries again as long as this is set. */
    open: p.boolean(),
    createdAt: p.datetime(3),
  },
});

/** A document that one fetch could not read; the next fetch tries it again (decisions 4). */
export class FailedDocument extends schema.class {}
schema.setClass(FailedDocument);
