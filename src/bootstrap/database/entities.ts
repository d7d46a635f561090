import type { AnyEntity, EntityClass } from '@mikro-orm/core';
import { ConsoleLink } from '../../auth/console-session/console-link.entity';
import { ConsoleSession } from '../../auth/console-session/console-session.entity';
import { ApiKey } from '../../auth/keys/api-key.entity';
import { Connection } from '../../connections/state/connection.entity';
import { OAuthFlow } from '../../connections/oauth/flow/oauth-flow.entity';
import { OAuthGrant } from '../../connections/oauth/tokens/oauth-grant.entity';
import { Webhook } from '../../connections/webhooks/webhook.entity';
import { Content } from '../../documents/store/content.entity';
import { FetchFailure } from '../../fetches/history/fetch-failure.entity';
import { DocumentFailure } from '../../fetches/failures/document-failure.entity';
import { Fetch } from '../../fetches/history/fetch.entity';
import { Environment } from '../../identities/environments/environment.entity';
import { Identity } from '../../identities/identity.entity';
import { AuditEntry } from '../../platform/audit/audit';
import { DataKey } from '../../platform/crypto/data-key.entity';
import { DataKeyVersion } from '../../platform/crypto/data-key-version.entity';
import { OutboxEvent } from '../../platform/outbox/outbox';
import { Attempt } from '../../transactions/record/attempt.entity';
import { Endpoint } from '../../provisioning/circuit/endpoint.entity';
import { WebhookDelivery } from '../../provisioning/webhooks/webhook-delivery.entity';
import { Redelivery } from '../../provisioning/redelivery/redelivery.entity';
import { MissingInvoiceRecord } from '../../transactions/expected/missing-invoice.entity';
import { SeenVersion } from '../../transactions/feed/seen-version.entity';
import { Rendition } from '../../transactions/record/forms/rendition.entity';
import { Transaction } from '../../transactions/record/transaction.entity';

/** Every entity, module by module. */
export const ENTITIES: EntityClass<AnyEntity>[] = [
  DataKey,
  DataKeyVersion,
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
  Rendition,
  SeenVersion,
  MissingInvoiceRecord,
  Fetch,
  FetchFailure,
  DocumentFailure,
  Attempt,
  Endpoint,
  WebhookDelivery,
  Redelivery,
  ApiKey,
  ConsoleLink,
  ConsoleSession,
];
