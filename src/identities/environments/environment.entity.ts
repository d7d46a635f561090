import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../platform/crypto/encrypted';
import type { EnvironmentFence } from '../../platform/errors/environment-fence';
import type { RetentionClass } from '../../platform/history/retention-class';
import type { ClientAuth, EnvironmentKind, MailPolicy, Strategy } from './setting-values';

/** A secret that signs pushes and return URLs. A replaced secret also signs, next to its successor, until `retiresAt`. */
export interface SigningSecret {
  readonly secret: string;
  readonly retiresAt: string | null;
}

/** Whether a replaced secret signs no more. */
export const isRetired = ({ retiresAt }: SigningSecret, at: Date): boolean =>
  retiresAt !== null && new Date(retiresAt) <= at;

const schema = defineEntity({
  name: 'Environment',
  tableName: 'environment',
  properties: {
    uuid: p.uuid().primary(),
    clientName: p.text(),
    name: p.text(),
    kind: p.string().$type<EnvironmentKind>(),
    fetchIntervalMinutes: p.integer(),
    /** Set when the interval was shortened, until the scheduler has moved the next fetch times forward. */
    intervalShortenedAt: p.datetime(3).nullable(),
    strategy: p.string().$type<Strategy>(),
    provisioningUrl: p.text().nullable(),
    clientAuth: p.string().$type<ClientAuth>(),
    /** The secret of `clientAuth`, encrypted with the environment's data key. */
    clientAuthSecret: p.type(EncryptedType).nullable(),
    /** Incremented by the database when the URL or the authentication changes: deliveries then go to a new endpoint. */
    endpointVersion: p.integer().default(0),
    /** `SigningSecret[]`, newest first, encrypted with the environment's data key. */
    signingSecrets: p.type(EncryptedType),
    /** Largest document that is pushed, in bytes; the client pulls larger ones (decisions 6). */
    pushLimitBytes: p.bigint('number'),
    /** Days for which content is kept after delivery or acknowledgement (decisions 4, retention). */
    retentionDeliveredDays: p.integer(),
    /** Days for which content is kept if it is never delivered or acknowledged. */
    retentionDays: p.integer(),
    /** How long fetches, attempts, events and webhook deliveries are kept that are recorded from now on (decisions 4). */
    retentionClass: p.string().$type<RetentionClass>(),
    /** Whether metadata are read from the text of PDFs (decisions 4 "Provenance"). */
    textExtraction: p.boolean().default(true),
    /** Whether copies of an invoice wait to be pulled instead of being pushed (decisions 9). */
    holdDuplicates: p.boolean().default(false),
    /** Whether missing monthly invoices are reported (decisions 9). */
    expectedDocuments: p.boolean().default(false),
    expectedDocumentsCheckedAt: p.datetime(3).nullable(),
    /** Whether the content of documents may be opened in the console (decisions 3). */
    consoleContent: p.boolean().default(true),
    mailPolicy: p.string().$type<MailPolicy>().default('DMARC'),
    /** Origins that a `return_url` may have. */
    returnOrigins: p.json<readonly string[]>(),
    /** Origins of pages that may embed the hosted UI in a frame. */
    embeddingOrigins: p.json<readonly string[]>(),
    /** Origins of the client's own web pages, which may call the API with a UI token. */
    browserOrigins: p.json<readonly string[]>(),
    theme: p.json<{ readonly name?: string; readonly logo_url?: string; readonly primary_color?: string }>(),
    /** Set while this installation must not work for it (decisions 7 "Moving"). */
    fence: p.string().$type<EnvironmentFence>().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** One client application in one mode, live or test, with its settings and keys: the tenant of identities and connections. */
export class Environment extends schema.class {}
schema.setClass(Environment);

/** Encryption purposes of an environment's secrets. */
export const SIGNING_SECRETS = 'environment.signing-secrets';
export const CLIENT_AUTH_SECRET = 'environment.client-auth-secret';
