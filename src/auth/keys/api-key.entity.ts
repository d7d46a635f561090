import { defineEntity, p } from '@mikro-orm/core';
import type { KeyScope } from '../../platform/http/access/key-scope';

const schema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** SHA-256 of the key in hex; the key itself is not stored. */
    digest: p.text(),
    /** `df_live_` or `df_test_`. */
    prefix: p.text(),
    lastFour: p.text(),
    /** Null for all. */
    scopes: p.array().$type<KeyScope[]>().nullable(),
    /** Networks (CIDR) from which it may be used; null for all. */
    allowedIps: p.array().nullable(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

/** A key of an environment (spec 5). Several may be active at once, so that they can be rotated. */
export class ApiKey extends schema.class {}
schema.setClass(ApiKey);

/** SQL: whether the key `alias` is accepted at the time of a parameter (`$2`, or `?` of `Conditions`). */
export const isAcceptedKey = (alias: string, now: string): string =>
  `(${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > ${now}))`;
