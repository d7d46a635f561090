import { defineEntity, p } from '@mikro-orm/core';

export const IDENTITY_TYPES = ['USER', 'COMPANY', 'ACCOUNT'] as const;
export type IdentityType = (typeof IDENTITY_TYPES)[number];

const schema = defineEntity({
  name: 'Identity',
  tableName: 'identity',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** The client's own identifier, unique in the environment. */
    clientIdentifier: p.text(),
    displayName: p.text().nullable(),
    type: p.string().$type<IdentityType>().nullable(),
    metadata: p.json<Readonly<Record<string, string>>>(),
    /** Incremented when the sessions of the identity are ended: a UI token of an earlier generation is rejected. */
    sessionGeneration: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** The user, company or account of the client application for which documents are fetched (spec 1). */
export class Identity extends schema.class {}
schema.setClass(Identity);
