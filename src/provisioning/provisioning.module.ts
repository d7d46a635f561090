import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { AttemptLog } from './attempt-log';
import { Circuit } from './circuit/circuit';
import { RecordEndpointEvent } from './circuit/record-endpoint-event';
import { WatchCircuits } from './circuit/watch-circuits';
import { CountDeliveries } from './count-deliveries';
import { DeliveriesController } from './deliveries.controller';
import { TransactionsModule } from '../transactions/transactions.module';
import { DispatchEvents } from './dispatch-events';
import { DrainEndpoint } from './drain-endpoint';
import { DrainWebhook } from './drain-webhook';
import { DueDocuments } from './due-documents';
import { DueEndpoints } from './due-endpoints';
import { ListAttempts } from './list-attempts';
import { ListTimeline } from './list-timeline';
import { EventsController } from './events/events.controller';
import { ListEvents } from './events/list-events';
import { ResendEvent } from './events/resend-event';
import { FollowStrategy } from './follow-strategy';
import { LeaveToPull } from './leave-to-pull';
import { ListWebhookDeliveries } from './list-webhook-deliveries';
import { ObserveDeliveries } from './observe-deliveries';
import { PurgeDocuments } from './purge-documents';
import { Push } from './push';
import { PushLimits } from './push-limits';
import { RedeliverTransaction } from './redeliver-transaction';
import { RedeliverTransactions } from './redeliver-transactions';
import { RetrySchedule } from './retry-schedule';
import { RunRedelivery } from './run-redelivery';
import { ScheduleAgain } from './schedule-again';
import { SendDocument } from './send-document';
import { SendEvent } from './send-event';
import { InFlight } from './sending/in-flight';
import { PushPlaces } from './sending/push-places';
import { SharedSending } from './sending/shared-sending';
import { PromptEndpoints } from './sending/prompt-endpoints';
import { RefusedResults } from './sending/refused-results';
import { UnwrittenResults } from './sending/unwritten-results';
import { SettleAttempt } from './settle-attempt';
import { SettleDelivered } from './settle-delivered';
import { TimelineController } from './timeline.controller';
import { SettleDelivery } from './settle-delivery';
import { SweepDeliveries } from './sweep-deliveries';
import { SweepRetention } from './sweep-retention';
import { TestWebhook } from './test-webhook';
import { WebhookCall } from './webhook';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';

/**
 * Owns the way to the client: push with its attempts, retries and the circuit of each endpoint, delivering
 * again, and telling of events by webhook, once each. And its end: the content that is kept no longer.
 * Refuses to know how a document was fetched.
 */
@Module({
  imports: [DocumentsModule, ConnectionsModule, TransactionsModule],
  controllers: [DeliveriesController, TimelineController, WebhookDeliveriesController, EventsController],
  providers: [
    ListTimeline,
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
