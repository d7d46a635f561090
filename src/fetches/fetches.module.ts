import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BringForward } from './bring-forward';
import { ClaimFetch } from './claim-fetch';
import { CommitOutcome } from './commit-outcome';
import { CountFetches } from './count-fetches';
import { DismissFailure } from './failures/dismiss-failure';
import { FailuresController } from './failures/failures.controller';
import { ListFailures } from './failures/list-failures';
import { FetchHistoryController } from './fetch-history.controller';
import { FetchLimits } from './fetch-limits';
import { FetchNow } from './fetch-now';
import { FetchesController } from './fetches.controller';
import { FinishFetch } from './finish-fetch';
import { GetFetch } from './get-fetch';
import { ListFetches } from './list-fetches';
import { ObserveFetches } from './observe-fetches';
import { OpenSource } from './open-source';
import { ProcessPages } from './process-pages';
import { ReadDocument } from './read-document';
import { RememberedDocuments } from './remembered-documents';
import { RunFetch } from './run-fetch';
import { RunFetches } from './run-fetches';
import { Schedule } from './schedule';
import { SweepOrphans } from './sweep-orphans';
import { WatchSource } from './watch-source';

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
