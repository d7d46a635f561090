import { defineEntity, p } from '@mikro-orm/core';
import type { FailureCode } from '../history/page-outcome';

const schema = defineEntity({
  name: 'DocumentFailure',
  tableName: 'document_failure',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    connectionUuid: p.uuid(),
    dedupeKey: p.text(),
    externalId: p.text().nullable(),
    filename: p.text(),
    /** Of the latest attempt. */
    code: p.string().$type<FailureCode>(),
    /** The document's version at that attempt (`failure-version.ts`). */
    version: p.text(),
    attempts: p.integer(),
    /** The time of the first attempt. */
    failingSince: p.datetime(3),
    /** From then on neither retried nor counted, until the source lists another version. */
    dismissedAt: p.datetime(3).nullable(),
  },
});

/** A document of a connection that could not be downloaded yet (decisions 9). Deleted when the document is downloaded. */
export class DocumentFailure extends schema.class {}
schema.setClass(DocumentFailure);
