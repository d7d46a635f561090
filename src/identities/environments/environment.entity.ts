import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../platform/crypto/encrypted';

export const ENVIRONMENT_KINDS = ['LIVE', 'TEST'] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

export const STRATEGIES = ['PUSH', 'WEBHOOK', 'POLLING'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** How the client's provisioning URL wants to be authenticated (spec 5 rule 6). */
export const CLIENT_AUTHS = ['NONE', 'BEARER', 'QUERY', 'HEADER'] as const;
export type ClientAuth = (typeof CLIENT_AUTHS)[number];

/** A secret that signs pushes and return addresses; a retired one goes on signing beside its successor for a while. */
export interface SigningSecret {
  readonly secret: string;
  readonly retiresAt: string | null;
}

const schema = defineEntity({
  name: 'Environment',
  tableName: 'environment',
  properties: {
    uuid: p.uuid().primary(),
    clientName: p.text(),
    name: p.text(),
    kind: p.string().$type<EnvironmentKind>(),
    fetchIntervalMinutes: p.integer(),
    /** Set when the interval has been shortened, until the calendar has brought the dates forward. */
    intervalShortenedAt: p.datetime(3).nullable(),
    strategy: p.string().$type<Strategy>(),
    provisioningUrl: p.text().nullable(),
    clientAuth: p.string().$type<ClientAuth>(),
    /** The secret of `clientAuth`; opened with the environment's data key. */
    clientAuthSecret: p.type(EncryptedType).nullable(),
    /** Counted by the database: another URL or another authentication is another address. */
    addressVersion: p.integer().default(0),
    /** `SigningSecret[]`, newest first; opened with the environment's data key. */
    signingSecrets: p.type(EncryptedType),
    /** Largest document that is pushed, in bytes; larger ones wait to be pulled (decisions 6). */
    pushLimitBytes: p.bigint('number'),
    /** Days that content is kept after delivery or acknowledgement (decisions 4, retention). */
    retentionDeliveredDays: p.integer(),
    /** Days that content is kept otherwise. */
    retentionDays: p.integer(),
    /** Origins that a `return_url` may have. */
    returnOrigins: p.json<readonly string[]>(),
    /** Origins of the pages that may show the hosted UI in a frame. */
    embeddingOrigins: p.json<readonly string[]>(),
    /** Origins of the client's own web pages, which may call the API with a UI token. */
    browserOrigins: p.json<readonly string[]>(),
    theme: p.json<{ readonly name?: string; readonly logo_url?: string; readonly primary_color?: string }>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Where one client application keeps its identities and connections: live or test, with its settings and keys. */
export class Environment extends schema.class {}
schema.setClass(Environment);

/** What the secrets of an environment are sealed for. */
export const SIGNING_SECRETS = 'environment.signing-secrets';
export const CLIENT_AUTH_SECRET = 'environment.client-auth-secret';
