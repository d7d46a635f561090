import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../../platform/crypto/encrypted';

const schema = defineEntity({
  name: 'OAuthGrant',
  tableName: 'oauth_grant',
  properties: {
    connectionUuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    integrationId: p.text(),
    /** SHA-256 of the account id: identifies connections of the same account without storing the id. */
    accountDigest: p.blob(),
    /** `StoredTokens`, encrypted with the connection's data key. */
    tokens: p.type(EncryptedType),
    /** The token to revoke at the provider, encrypted with the environment's data key because it outlives the connection by minutes. */
    revocationToken: p.type(EncryptedType).nullable(),
    scopes: p.json<readonly string[]>(),
    /** From this time on, the next use refreshes the access token. */
    refreshDueAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** When the provider last rejected a refresh. */
    refreshRejectedAt: p.datetime(3).nullable(),
    /** Incremented with every change of the tokens. */
    generation: p.integer(),
    /** The process that refreshes the tokens, and the end of its lease by the database's clock. */
    leaseToken: p.uuid().nullable(),
    leasedUntil: p.datetime(3).nullable(),
    grantedAt: p.datetime(3),
  },
});

/** A user's authorization at a provider. Only `TokenRefresher` refreshes its tokens. */
export class OAuthGrant extends schema.class {}
schema.setClass(OAuthGrant);

export interface StoredTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** Encryption purposes of tokens. */
export const OAUTH_TOKENS = 'oauth-grant.tokens';
export const OAUTH_REVOCATION = 'oauth-grant.revocation';
