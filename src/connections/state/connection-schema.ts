import { defineEntity, p } from '@mikro-orm/core';
import type { FieldSpec, Localized } from '../../integrations/core/field';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { Reason } from '../../integrations/core/reason';
import type { Json } from '../../integrations/core/source-document';
import { EncryptedType } from '../../platform/crypto/encrypted';
import type { Input, LastFetch } from './connection-state';

/** The columns of a connection. */
export const connectionSchema = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    identityUuid: p.uuid(),
    integrationId: p.text(),
    name: p.text(),
    /** Step-1 input without secrets. */
    settings: p.json<Input>(),
    /** Step-1 secrets by field id, encrypted with the connection's data key. */
    secrets: p.type(EncryptedType).nullable(),
    step2: p.json<Input>(),
    /** Field definitions of the second step at the time it was saved, for `/information`. */
    step2Fields: p.json<readonly FieldSpec[]>().name('step2_fields'),
    /** Labels of the selected options, by field id and value: `/information` does not call the provider. */
    displayValues: p.json<Readonly<Record<string, Readonly<Record<string, Localized | string>>>>>(),
    /** Fingerprints of certificates and host keys that the user accepted, by `host:port`. */
    trustedFingerprints: p.json<TrustedFingerprints>().nullable(),
    startdate: p.date().nullable(),
    /** The day it was migrated (UTC): `startdate` is never earlier. Null for connections that were created. */
    migratedOn: p.date().nullable(),
    /** The provider's account; new credentials of another account are rejected. */
    accountId: p.text().nullable(),
    accountDisplay: p.text().nullable(),
    /** The address of an integration that receives mails, in lower case. It never changes. */
    inboxAddress: p.text().nullable(),
    /** The number of mails received for it, which numbers them. */
    receivedMails: p.bigint('number').default(0),
    /** Where the next listing resumes. Only the connector interprets it. */
    cursor: p.json<Json>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    setupCompletedAt: p.datetime(3).nullable(),
    /** When the provider first rejected the credentials; a second rejection, at least a minute later, is definitive. */
    credentialsSuspectAt: p.datetime(3).nullable(),
    credentialsRejectedAt: p.datetime(3).nullable(),
    /** Since when fetches have been failing, and why. */
    failingSince: p.datetime(3).nullable(),
    failureReason: p.string().$type<Reason>().nullable(),
    consecutiveFailures: p.integer(),
    lastSuccessAt: p.datetime(3).nullable(),
    /**
     * Since when the next success is awaited: the beginning of fetching, or the last success before the last claim of a fetch; the
     * later of this and `lastSuccessAt` counts. Null while not active.
     */
    awaitingSuccessSince: p.datetime(3).nullable(),
    /** Set by `StalenessMonitor` when no fetch has succeeded for three intervals. */
    overdueSince: p.datetime(3).nullable(),
    /** When the next scheduled fetch is due; null while the connection is not active. */
    nextFetchAt: p.datetime(3).nullable(),
    /** When a fetch outside the schedule is due: the first one, the catch-up after a recovery or enabling, or that of a received mail. */
    immediateFetchAt: p.datetime(3).nullable(),
    immediateFetchTrigger: p.string().$type<'INITIAL' | 'RECOVERY' | 'SCHEDULED'>().nullable(),
    /** The span that has made this fetch due. */
    immediateFetchTraceparent: p.text().nullable(),
    /** The lease of the running fetch: a worker that was taken for dead and continues finds another worker's token here. */
    leaseToken: p.uuid().nullable(),
    /** By the clock of the database. A worker that still runs the fetch renews it in time. */
    leasedUntil: p.datetime(3).nullable(),
    /** First day of the month in which it was last counted as used. */
    countedMonth: p.date().nullable(),
    /** The latest fetch: its result, or that it is queued or running. */
    lastFetch: p.json<LastFetch>().nullable(),
    /** Number of documents that could not be read; maintained by the module `fetches`. */
    failedDocuments: p.integer(),
    /** The webhook of this connection, if it has one. */
    webhookUuid: p.uuid().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
