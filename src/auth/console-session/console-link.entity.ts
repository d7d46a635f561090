import { defineEntity, p } from '@mikro-orm/core';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';

const schema = defineEntity({
  name: 'ConsoleLink',
  tableName: 'console_link',
  properties: {
    /** SHA-256 of the secret in the link; the secret itself is not stored. */
    digest: p.blob().primary(),
    environmentUuid: p.uuid(),
    role: p.string().$type<ConsoleRole>(),
    /** The actor that created it, `cli:<system user>`. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
});

/** A link that opens one session of the console (decisions 3). */
export class ConsoleLink extends schema.class {}
schema.setClass(ConsoleLink);
