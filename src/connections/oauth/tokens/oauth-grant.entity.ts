import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../../platform/crypto/encrypted';

const schema = defineEntity({
  name: 'OAuthGrant',
  tableName: 'oauth_grant',
  properties: {
    connectionUuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    integrationId: p.text(),
    /** Tells whether two connections are of one account at the provider, without saying of whose. */
    accountDigest: p.blob(),
    /** `StoredTokens`, sealed with the connection's data key. */
    tokens: p.type(EncryptedType),
    /** What the provider takes the grant back by, sealed with the environment's data key: it outlives the connection by minutes. */
    revocation: p.type(EncryptedType).nullable(),
    scopes: p.json<readonly string[]>(),
    /** From then on the access token is renewed, by whoever needs it next. */
    renewAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** When the provider last refused to renew. */
    refusedAt: p.datetime(3).nullable(),
    /** Grows with every change of the tokens. */
    generation: p.integer(),
    /** Who renews at the moment, and until when nobody else does; by the database's clock. */
    lease: p.uuid().nullable(),
    leaseUntil: p.datetime(3).nullable(),
    grantedAt: p.datetime(3),
  },
});

/** What a user has authorised us to at a provider. Renewed by `KeepGrant` alone. */
export class OAuthGrant extends schema.class {}
schema.setClass(OAuthGrant);

export interface StoredTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** What tokens are sealed for. */
export const OAUTH_TOKENS = 'oauth-grant.tokens';
export const OAUTH_REVOCATION = 'oauth-grant.revocation';
