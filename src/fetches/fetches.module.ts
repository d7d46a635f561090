import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { RescheduleConnections } from './scheduling/reschedule-connections';
import { FetchLeases } from './execution/fetch-leases';
import { CommitOutcome } from './execution/commit-outcome';
import { FetchReport } from './history/fetch-report';
import { FetchMetrics } from './history/fetch-metrics';
import { DismissFailure } from './failures/dismiss-failure';
import { FailuresController } from './failures/failures.controller';
import { ListFailures } from './failures/list-failures';
import { FetchHistoryController } from './api/fetch-history.controller';
import { FetchRequestsModule } from './fetch-requests.module';
import { FetchLimits } from './execution/fetch-limits';
import { FetchNowController } from './api/fetch-now.controller';
import { FinishFetch } from './execution/finish-fetch';
import { GetFetch } from './api/get-fetch';
import { ListFetches } from './api/list-fetches';
import { FetchBacklog } from './history/fetch-backlog';
import { FetchBacklogMetrics } from './history/fetch-backlog-metrics';
import { OpenSourceSession } from './execution/reading/open-source-session';
import { FetchPipeline } from './execution/fetch-pipeline';
import { DownloadDocument } from './execution/reading/download-document';
import { DedupeIndex } from './execution/reading/dedupe-index';
import { ExecuteFetch } from './execution/execute-fetch';
import { RunFetch } from './execution/run-fetch';
import { FetchWorker } from './execution/fetch-worker';
import { ClaimFetches } from './scheduling/claim-fetches';
import { LeaseMonitor } from './execution/supervision/lease-monitor';
import { LoadFetches } from './execution/reading/load-fetches';
import { SettleFetches } from './execution/settle-fetches';
import { ContentGarbageCollector } from './execution/content-garbage-collector';
import { ExportUsage } from './usage/export-usage';
import { ListUsage } from './usage/list-usage';
import { UsageController } from './usage/usage.controller';
import { StallDetectorFactory } from './execution/supervision/stall-detector-factory';

/**
 * Owns fetch-now, scheduling and the execution of a fetch, from the source to recorded transactions. Does not know how documents
 * are sent.
 */
@Module({
  imports: [ConnectionsModule, DocumentsModule, FetchRequestsModule, IntegrationsModule, TransactionsModule],
  controllers: [FetchNowController, FetchHistoryController, FailuresController, UsageController],
  providers: [
    ListFetches,
    GetFetch,
    ListFailures,
    DismissFailure,
    ListUsage,
    ExportUsage,
    ClaimFetches,
    RescheduleConnections,
    RunFetch,
    FetchWorker,
    FetchLeases,
    LeaseMonitor,
    LoadFetches,
    ExecuteFetch,
    OpenSourceSession,
    FetchPipeline,
    DedupeIndex,
    DownloadDocument,
    CommitOutcome,
    SettleFetches,
    FinishFetch,
    ContentGarbageCollector,
    FetchMetrics,
    FetchReport,
    FetchLimits,
    StallDetectorFactory,
    FetchBacklog,
    FetchBacklogMetrics,
  ],
  exports: [FetchRequestsModule, FetchBacklog],
})
export class FetchesModule {}
