import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { AttemptLog } from './push/attempt-log';
import { Circuit } from './circuit/circuit';
import { RecordEndpointEvent } from './circuit/record-endpoint-event';
import { WatchCircuits } from './circuit/watch-circuits';
import { CountDeliveries } from './shared/count-deliveries';
import { DeliveriesController } from './redelivery/deliveries.controller';
import { TransactionsModule } from '../transactions/transactions.module';
import { DispatchEvents } from './webhooks/dispatch-events';
import { DrainEndpoint } from './push/drain-endpoint';
import { DrainWebhook } from './webhooks/drain-webhook';
import { DueDocuments } from './push/due-documents';
import { DueEndpoints } from './push/due-endpoints';
import { ListAttempts } from './redelivery/list-attempts';
import { EventsController } from './events/events.controller';
import { ListEvents } from './events/list-events';
import { ResendEvent } from './events/resend-event';
import { FollowStrategy } from './redelivery/follow-strategy';
import { LeaveToPull } from './push/leave-to-pull';
import { ListWebhookDeliveries } from './webhooks/list-webhook-deliveries';
import { ObserveDeliveries } from './shared/observe-deliveries';
import { PurgeDocuments } from './retention/purge-documents';
import { Push } from './push/push';
import { PushLimits } from './shared/push-limits';
import { RedeliverTransaction } from './redelivery/redeliver-transaction';
import { RedeliverTransactions } from './redelivery/redeliver-transactions';
import { RetrySchedule } from './circuit/retry-schedule';
import { RunRedelivery } from './redelivery/run-redelivery';
import { ScheduleAgain } from './redelivery/schedule-again';
import { SendDocument } from './push/send-document';
import { SendEvent } from './webhooks/send-event';
import { InFlight } from './push/sending/in-flight';
import { PushPlaces } from './push/sending/push-places';
import { SharedSending } from './push/sending/shared-sending';
import { PromptEndpoints } from './push/sending/prompt-endpoints';
import { RefusedResults } from './push/sending/refused-results';
import { UnwrittenResults } from './push/sending/unwritten-results';
import { SettleAttempt } from './push/settle-attempt';
import { SettleDelivered } from './push/settle-delivered';
import { SettleDelivery } from './webhooks/settle-delivery';
import { SweepDeliveries } from './retention/sweep-deliveries';
import { SweepRetention } from './retention/sweep-retention';
import { TestWebhook } from './webhooks/test-webhook';
import { WebhookCall } from './webhooks/webhook';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller';

/**
 * Owns the way to the client: push with its attempts, retries and the circuit of each endpoint, delivering
 * again, and telling of events by webhook, once each. And its end: the content that is kept no longer.
 * Refuses to know how a document was fetched.
 */
@Module({
  imports: [DocumentsModule, ConnectionsModule, TransactionsModule],
  controllers: [DeliveriesController, WebhookDeliveriesController, EventsController],
  providers: [
    DueEndpoints,
    DueDocuments,
    DrainEndpoint,
    SendDocument,
    InFlight,
    PushPlaces,
    SharedSending,
    PromptEndpoints,
    UnwrittenResults,
    RefusedResults,
    Push,
    PushLimits,
    SettleAttempt,
    SettleDelivered,
    AttemptLog,
    RetrySchedule,
    Circuit,
    RecordEndpointEvent,
    WatchCircuits,
    LeaveToPull,
    FollowStrategy,
    DispatchEvents,
    DrainWebhook,
    SendEvent,
    WebhookCall,
    SettleDelivery,
    TestWebhook,
    ListWebhookDeliveries,
    ListEvents,
    ResendEvent,
    SweepDeliveries,
    PurgeDocuments,
    SweepRetention,
    ScheduleAgain,
    RedeliverTransaction,
    RedeliverTransactions,
    RunRedelivery,
    ListAttempts,
    CountDeliveries,
    ObserveDeliveries,
  ],
  exports: [RedeliverTransaction, RedeliverTransactions],
})
export class ProvisioningModule {}
