import { defineEntity, p } from '@mikro-orm/core';

export const IDENTITY_TYPES = ['USER', 'COMPANY', 'ACCOUNT'] as const;
export type IdentityType = (typeof IDENTITY_TYPES)[number];

const schema = defineEntity({
  name: 'Identity',
  tableName: 'identity',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** The client's own name for it, unique in its environment. */
    clientIdentifier: p.text(),
    displayName: p.text().nullable(),
    type: p.string().$type<IdentityType>().nullable(),
    metadata: p.json<Readonly<Record<string, string>>>(),
    /** Counted up when its sessions are ended: a UI token of an earlier generation is refused. */
    sessionGeneration: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** The entity of the client application that documents are fetched for: a user, a company or an account (spec 1). */
export class Identity extends schema.class {}
schema.setClass(Identity);
