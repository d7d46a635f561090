import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BringForward } from './scheduling/bring-forward';
import { ClaimFetch } from './execution/claim-fetch';
import { CommitOutcome } from './execution/commit-outcome';
import { CountFetches } from './history/count-fetches';
import { DismissFailure } from './failures/dismiss-failure';
import { FailuresController } from './failures/failures.controller';
import { ListFailures } from './failures/list-failures';
import { FetchHistoryController } from './api/fetch-history.controller';
import { FetchLimits } from './execution/fetch-limits';
import { FetchNow } from './api/fetch-now';
import { FetchesController } from './api/fetches.controller';
import { FinishFetch } from './execution/finish-fetch';
import { GetFetch } from './api/get-fetch';
import { ListFetches } from './api/list-fetches';
import { ObserveFetches } from './history/observe-fetches';
import { OpenSource } from './execution/reading/open-source';
import { ProcessPages } from './execution/process-pages';
import { ReadDocument } from './execution/reading/read-document';
import { RememberedDocuments } from './execution/reading/remembered-documents';
import { RunFetch } from './execution/run-fetch';
import { RunFetches } from './execution/run-fetches';
import { Schedule } from './scheduling/schedule';
import { SweepOrphans } from './execution/sweep-orphans';
import { WatchSource } from './execution/supervision/watch-source';

/**
 * Owns fetch-now, the schedule and the running of one fetch, from the source to recorded transactions.
 * Refuses to know how documents are sent.
 */
@Module({
  imports: [ConnectionsModule, DocumentsModule, IntegrationsModule, TransactionsModule],
  controllers: [FetchesController, FetchHistoryController, FailuresController],
  providers: [
    FetchNow,
    ListFetches,
    GetFetch,
    ListFailures,
    DismissFailure,
    Schedule,
    BringForward,
    RunFetches,
    ClaimFetch,
    RunFetch,
    OpenSource,
    ProcessPages,
    RememberedDocuments,
    ReadDocument,
    CommitOutcome,
    FinishFetch,
    SweepOrphans,
    CountFetches,
    FetchLimits,
    WatchSource,
    ObserveFetches,
  ],
  exports: [FetchNow],
})
export class FetchesModule {}
