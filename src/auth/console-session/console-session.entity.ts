import { defineEntity, p } from '@mikro-orm/core';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';

const schema = defineEntity({
  name: 'ConsoleSession',
  tableName: 'console_session',
  properties: {
    uuid: p.uuid().primary(),
    /** For a developer the only environment, for the support team the one that is shown first. */
    environmentUuid: p.uuid(),
    /** SHA-256 of the secret in the cookie; the secret itself is not stored. */
    digest: p.blob(),
    role: p.string().$type<ConsoleRole>(),
    /** `cli:<system user>` for a link, `key:<uuid>` for an API key. */
    openedBy: p.text(),
    /** The key that opened it, with which it ends. */
    keyUuid: p.uuid().nullable(),
    userAgent: p.text().nullable(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
  },
});

/** A session of the console in one browser (decisions 3). */
export class ConsoleSession extends schema.class {}
schema.setClass(ConsoleSession);
