import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { AttemptLog } from './push/attempt-log';
import { CircuitMonitor } from './circuit/circuit-monitor';
import { DeliveryMetrics } from './shared/delivery-metrics';
import { DeliveriesController } from './redelivery/deliveries.controller';
import { TransactionsModule } from '../transactions/transactions.module';
import { DispatchEvents } from './webhooks/dispatch-events';
import { DrainEndpoint } from './push/drain-endpoint';
import { DrainWebhook } from './webhooks/drain-webhook';
import { DueDocuments } from './push/due-documents';
import { DeliveryScheduler } from './push/delivery-scheduler';
import { ConsoleRedeliveriesController } from './redelivery/console-redeliveries.controller';
import { ListRedeliveries } from './redelivery/list-redeliveries';
import { DescribeEndpoint } from './inspection/describe-endpoint';
import { InspectAttempts } from './inspection/inspect-attempts';
import { InspectionController } from './inspection/inspection.controller';
import { TestEndpoint } from './inspection/test-endpoint';
import { ListAttempts } from './redelivery/list-attempts';
import { ConsoleEventsController } from './events/console-events.controller';
import { EventsController } from './events/events.controller';
import { ListEvents } from './events/list-events';
import { ResendEvent } from './events/resend-event';
import { MigratePending } from './redelivery/migrate-pending';
import { FallBackToPull } from './push/fall-back-to-pull';
import { ListWebhookDeliveries } from './webhooks/list-webhook-deliveries';
import { DeliveryBacklog } from './shared/delivery-backlog';
import { DeliveryBacklogMetrics } from './shared/delivery-backlog-metrics';
import { PurgeDocuments } from './retention/purge-documents';
import { PushClient } from './push/push-client';
import { PushLimits } from './shared/push-limits';
import { RedeliveryRequestsModule } from './redelivery-requests.module';
import { RetrySchedule } from './circuit/retry-schedule';
import { ProcessRedelivery } from './redelivery/process-redelivery';
import { SendDocument } from './push/send-document';
import { SendEvent } from './webhooks/send-event';
import { DrainLock } from './push/sending/drain-lock';
import { PushCapacity } from './push/sending/push-capacity';
import { SharedSendState } from './push/sending/shared-send-state';
import { PromptEndpoints } from './push/sending/prompt-endpoints';
import { RejectedResults } from './push/sending/rejected-results';
import { ResultWriter } from './push/sending/result-writer';
import { RecordAttemptResult } from './push/record-attempt-result';
import { DeliveredResultBatcher } from './push/delivered-result-batcher';
import { RecordWebhookResult } from './webhooks/record-webhook-result';
import { SweepWebhookDeliveries } from './retention/sweep-webhook-deliveries';
import { SweepRetention } from './retention/sweep-retention';
import { TestWebhook } from './webhooks/test-webhook';
import { WebhookClient } from './webhooks/webhook-client';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller';

/**
 * Provisioning to the client: push with its attempts, retries and the circuit of each endpoint; redelivery; webhook
 * events, each sent once; and the end of retention, when the content is purged. Does not depend on how a document was
 * fetched.
 */
@Module({
  imports: [DocumentsModule, ConnectionsModule, RedeliveryRequestsModule, TransactionsModule],
  controllers: [
    DeliveriesController,
    ConsoleRedeliveriesController,
    InspectionController,
    WebhookDeliveriesController,
    EventsController,
    ConsoleEventsController,
  ],
  providers: [
    DeliveryScheduler,
    DueDocuments,
    DrainEndpoint,
    SendDocument,
    DrainLock,
    PushCapacity,
    SharedSendState,
    PromptEndpoints,
    ResultWriter,
    RejectedResults,
    PushClient,
    PushLimits,
    RecordAttemptResult,
    DeliveredResultBatcher,
    AttemptLog,
    RetrySchedule,
    CircuitMonitor,
    FallBackToPull,
    MigratePending,
    DispatchEvents,
    DrainWebhook,
    SendEvent,
    WebhookClient,
    RecordWebhookResult,
    TestWebhook,
    ListWebhookDeliveries,
    ListEvents,
    ResendEvent,
    SweepWebhookDeliveries,
    PurgeDocuments,
    SweepRetention,
    ProcessRedelivery,
    ListAttempts,
    ListRedeliveries,
    DescribeEndpoint,
    TestEndpoint,
    InspectAttempts,
    DeliveryMetrics,
    DeliveryBacklog,
    DeliveryBacklogMetrics,
  ],
  exports: [RedeliveryRequestsModule, DeliveryBacklog],
})
export class ProvisioningModule {}
