import type { AnyEntity, EntityClass, MigrationObject } from '@mikro-orm/core';
import { CreatePlatform } from '../../migrations/20261120100000_create-platform';
import { CreateDocuments } from '../../migrations/20261120100100_create-documents';
import { CreateIdentities } from '../../migrations/20261120100200_create-identities';
import { CreateConnections } from '../../migrations/20261120100300_create-connections';
import { CreateTransactions } from '../../migrations/20261120100400_create-transactions';
import { CreateFetches } from '../../migrations/20261120100500_create-fetches';
import { CreateProvisioning } from '../../migrations/20261120100600_create-provisioning';
import { CreateAuth } from '../../migrations/20261120100700_create-auth';
import { CreateIdempotencyKeys } from '../../migrations/20261121100000_create-idempotency-keys';
import { FindAuditBySubject } from '../../migrations/20261121100400_find-audit-by-subject';
import { FollowConnections } from '../../migrations/20261121100100_follow-connections';
import { CreateRequestCounts } from '../../migrations/20261121100010_create-request-counts';
import { CreateWebhooks } from '../../migrations/20261121100200_create-webhooks';
import { CreateRedeliveries } from '../../migrations/20261121100300_create-redeliveries';
import { SpreadSchedules } from '../../migrations/20261121210000_spread-schedules';
import { CreatePace } from '../../migrations/20261121210100_create-pace';
import { LockBeforeDeleting } from '../../migrations/20261121220000_lock-before-deleting';
import { WatchConnections } from '../../migrations/20261121230000_watch-connections';
import { CreateReadVersions } from '../../migrations/20261122010000_create-read-versions';
import { PinSources } from '../../migrations/20261122010100_pin-sources';
import { NameWhatUsersMend } from '../../migrations/20261122140000_name-what-users-mend';
import { AddEmbeddingOrigins } from '../../migrations/20261122150000_add-embedding-origins';
import { PurgeDocuments } from '../../migrations/20261122020000_purge-documents';
import { PauseEndpoints } from '../../migrations/20261122130000_pause-endpoints';
import { DeliverInLanes } from '../../migrations/20261122130100_deliver-in-lanes';
import { DeliverInOrder } from '../../migrations/20261122160000_deliver-in-order';
import { TellAddressesApart } from '../../migrations/20261122180000_tell-addresses-apart';
import { DropWhenDisabled } from '../../migrations/20261122180100_drop-when-disabled';
import { DispatchByTurns } from '../../migrations/20261122190000_dispatch-by-turns';
import { FindInFeed } from '../../migrations/20261122190100_find-in-feed';
import { KeepAcknowledgement } from '../../migrations/20261122190200_keep-acknowledgement';
import { StoreInABucket } from '../../migrations/20261123200000_store-in-a-bucket';
import { AddMigrationDate } from '../../migrations/20261124060000_add-migration-date';
import { FindByExternalId } from '../../migrations/20261124060010_find-by-external-id';
import { CountUsage } from '../../migrations/20261124060020_count-usage';
import { BindWebhookSecrets } from '../../migrations/20261124050000_bind-webhook-secrets';
import { DeleteTraces } from '../../migrations/20261124060030_delete-traces';
import { OpenCircuits } from '../../migrations/20261124010000_open-circuits';
import { ListEvents } from '../../migrations/20261124060040_list-events';
import { EndSessions } from '../../migrations/20261124030000_end-sessions';
import { MarkPromptEndpoints } from '../../migrations/20261124020000_mark-prompt-endpoints';
import { TrustServers } from '../../migrations/20261125040000_trust-servers';
import { CreateOAuth } from '../../migrations/20261122110000_create-oauth';
import { CreateSandbox } from '../../migrations/20261124070000_create-sandbox';
import { AddBrowserOrigins } from '../../migrations/20261125010000_add-browser-origins';
import { BindAuthorizations } from '../../migrations/20261125020000_bind-authorizations';
import { CreateDocumentFailures } from '../../migrations/20261125025000_create-document-failures';
import { NameMissingEndpoints } from '../../migrations/20261125045000_name-missing-endpoints';
import { ApiKey } from '../auth/keys/api-key.entity';
import { Connection } from '../connections/state/connection.entity';
import { OAuthFlow } from '../connections/oauth/flow/oauth-flow.entity';
import { OAuthGrant } from '../connections/oauth/tokens/oauth-grant.entity';
import { Webhook } from '../connections/webhooks/webhook.entity';
import { Content } from '../documents/store/content.entity';
import { FailedDocument } from '../fetches/history/failed-document.entity';
import { DocumentFailure } from '../fetches/failures/document-failure.entity';
import { Fetch } from '../fetches/history/fetch.entity';
import { Environment } from '../identities/environments/environment.entity';
import { Identity } from '../identities/identity.entity';
import { AuditEntry } from '../platform/audit/audit';
import { DataKey } from '../platform/crypto/data-key.entity';
import { OutboxEvent } from '../platform/outbox/outbox';
import { Attempt } from '../transactions/record/attempt.entity';
import { Endpoint } from '../provisioning/circuit/endpoint.entity';
import { WebhookDelivery } from '../provisioning/webhooks/webhook-delivery.entity';
import { Redelivery } from '../provisioning/redelivery/redelivery.entity';
import { SeenVersion } from '../transactions/feed/seen-version.entity';
import { Transaction } from '../transactions/record/transaction.entity';

/** Every entity, room by room. */
export const ENTITIES: EntityClass<AnyEntity>[] = [
  DataKey,
  OutboxEvent,
  AuditEntry,
  Content,
  Environment,
  Identity,
  Connection,
  OAuthGrant,
  OAuthFlow,
  Webhook,
  Transaction,
  SeenVersion,
  Fetch,
  FailedDocument,
  DocumentFailure,
  Attempt,
  Endpoint,
  WebhookDelivery,
  Redelivery,
  ApiKey,
];

/** Every migration, oldest first. Listed by hand: a stray file in the build must never run. */
export const MIGRATIONS: MigrationObject[] = [
  { name: '20261120100000_create-platform', class: CreatePlatform },
  { name: '20261120100100_create-documents', class: CreateDocuments },
  { name: '20261120100200_create-identities', class: CreateIdentities },
  { name: '20261120100300_create-connections', class: CreateConnections },
  { name: '20261120100400_create-transactions', class: CreateTransactions },
  { name: '20261120100500_create-fetches', class: CreateFetches },
  { name: '20261120100600_create-provisioning', class: CreateProvisioning },
  { name: '20261120100700_create-auth', class: CreateAuth },
  { name: '20261121100000_create-idempotency-keys', class: CreateIdempotencyKeys },
  { name: '20261121100400_find-audit-by-subject', class: FindAuditBySubject },
  { name: '20261121100100_follow-connections', class: FollowConnections },
  { name: '20261121100010_create-request-counts', class: CreateRequestCounts },
  { name: '20261121100200_create-webhooks', class: CreateWebhooks },
  { name: '20261121100300_create-redeliveries', class: CreateRedeliveries },
  { name: '20261121210000_spread-schedules', class: SpreadSchedules },
  { name: '20261121210100_create-pace', class: CreatePace },
  { name: '20261121220000_lock-before-deleting', class: LockBeforeDeleting },
  { name: '20261121230000_watch-connections', class: WatchConnections },
  { name: '20261122010000_create-read-versions', class: CreateReadVersions },
  { name: '20261122010100_pin-sources', class: PinSources },
  { name: '20261122020000_purge-documents', class: PurgeDocuments },
  { name: '20261122130000_pause-endpoints', class: PauseEndpoints },
  { name: '20261122130100_deliver-in-lanes', class: DeliverInLanes },
  { name: '20261122110000_create-oauth', class: CreateOAuth },
  { name: '20261122140000_name-what-users-mend', class: NameWhatUsersMend },
  { name: '20261122150000_add-embedding-origins', class: AddEmbeddingOrigins },
  { name: '20261122160000_deliver-in-order', class: DeliverInOrder },
  { name: '20261122180000_tell-addresses-apart', class: TellAddressesApart },
  { name: '20261122180100_drop-when-disabled', class: DropWhenDisabled },
  { name: '20261122190000_dispatch-by-turns', class: DispatchByTurns },
  { name: '20261122190100_find-in-feed', class: FindInFeed },
  { name: '20261122190200_keep-acknowledgement', class: KeepAcknowledgement },
  { name: '20261123200000_store-in-a-bucket', class: StoreInABucket },
  { name: '20261124060000_add-migration-date', class: AddMigrationDate },
  { name: '20261124060010_find-by-external-id', class: FindByExternalId },
  { name: '20261124060020_count-usage', class: CountUsage },
  { name: '20261124050000_bind-webhook-secrets', class: BindWebhookSecrets },
  { name: '20261124060030_delete-traces', class: DeleteTraces },
  { name: '20261124010000_open-circuits', class: OpenCircuits },
  { name: '20261124070000_create-sandbox', class: CreateSandbox },
  { name: '20261124060040_list-events', class: ListEvents },
  { name: '20261124030000_end-sessions', class: EndSessions },
  { name: '20261124020000_mark-prompt-endpoints', class: MarkPromptEndpoints },
  { name: '20261125010000_add-browser-origins', class: AddBrowserOrigins },
  { name: '20261125020000_bind-authorizations', class: BindAuthorizations },
  { name: '20261125025000_create-document-failures', class: CreateDocumentFailures },
  { name: '20261125040000_trust-servers', class: TrustServers },
  { name: '20261125045000_name-missing-endpoints', class: NameMissingEndpoints },
];
