import type { AnyEntity, EntityClass, MigrationObject } from '@mikro-orm/core';
import { CreatePlatform } from '../../migrations/20261125130000_create-platform';
import { CreateRateLimits } from '../../migrations/20261125130100_create-rate-limits';
import { CreateContents } from '../../migrations/20261125130200_create-contents';
import { CreateEnvironments } from '../../migrations/20261125130300_create-environments';
import { CreateIdempotencyKeys } from '../../migrations/20261125130400_create-idempotency-keys';
import { CreateConnections } from '../../migrations/20261125130500_create-connections';
import { CreateConnectionStatus } from '../../migrations/20261125130600_create-connection-status';
import { CreateOAuth } from '../../migrations/20261125130700_create-oauth';
import { CreateTransactions } from '../../migrations/20261125130800_create-transactions';
import { CreateFetches } from '../../migrations/20261125130900_create-fetches';
import { CreateDeliveries } from '../../migrations/20261125131000_create-deliveries';
import { CreateWebhooks } from '../../migrations/20261125131100_create-webhooks';
import { CreateSandbox } from '../../migrations/20261125131200_create-sandbox';
import { CreateDeletionTriggers } from '../../migrations/20261125131300_create-deletion-triggers';
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
  { name: '20261125130000_create-platform', class: CreatePlatform },
  { name: '20261125130100_create-rate-limits', class: CreateRateLimits },
  { name: '20261125130200_create-contents', class: CreateContents },
  { name: '20261125130300_create-environments', class: CreateEnvironments },
  { name: '20261125130400_create-idempotency-keys', class: CreateIdempotencyKeys },
  { name: '20261125130500_create-connections', class: CreateConnections },
  { name: '20261125130600_create-connection-status', class: CreateConnectionStatus },
  { name: '20261125130700_create-oauth', class: CreateOAuth },
  { name: '20261125130800_create-transactions', class: CreateTransactions },
  { name: '20261125130900_create-fetches', class: CreateFetches },
  { name: '20261125131000_create-deliveries', class: CreateDeliveries },
  { name: '20261125131100_create-webhooks', class: CreateWebhooks },
  { name: '20261125131200_create-sandbox', class: CreateSandbox },
  { name: '20261125131300_create-deletion-triggers', class: CreateDeletionTriggers },
];
