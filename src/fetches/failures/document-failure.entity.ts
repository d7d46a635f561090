import { defineEntity, p } from '@mikro-orm/core';
import type { FailureCode } from '../history/page-outcome';

const schema = defineEntity({
  name: 'DocumentFailure',
  tableName: 'document_failure',
  properties: {
    uuid: p.uuid().primary(),
    connectionUuid: p.uuid(),
    dedupeKey: p.text(),
    externalId: p.text().nullable(),
    filename: p.text(),
    /** Of the latest try. */
    code: p.string().$type<FailureCode>(),
    /** What the source said about the document then (`failure-version.ts`). */
    version: p.text(),
    attempts: p.integer(),
    /** The first try. */
    since: p.datetime(3),
    /** Neither tried nor counted from then on, until the source shows another version. */
    dismissedAt: p.datetime(3).nullable(),
  },
});

/** A document of a connection that could not be read so far (decisions 9). It goes when the document is read. */
export class DocumentFailure extends schema.class {}
schema.setClass(DocumentFailure);
