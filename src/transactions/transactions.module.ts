import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { AcknowledgeController } from './acknowledge/acknowledge.controller';
import { AcknowledgeTransactions } from './acknowledge/acknowledge-transactions';
import { KnownDocuments } from './record/known-documents';
import { ConnectionTransactionsController } from './feed/connection-transactions.controller';
import { RecordMissingInvoice } from './expected/record-missing-invoice';
import { WatchExpectedInvoices } from './expected/watch-expected-invoices';
import { ListConnectionTransactions } from './feed/list-connection-transactions';
import { ConsoleTransactionsController } from './search/console-transactions.controller';
import { SearchTransactions } from './search/search-transactions';
import { ExpectedDocumentsController } from './expected/expected-documents.controller';
import { ListExpectedDocuments } from './expected/list-expected-documents';
import { ListTransactions } from './feed/list-transactions';
import { FeedSequence } from './feed/feed-sequence';
import { PullDocument } from './download/pull-document';
import { PullRendition } from './download/pull-rendition';
import { RenditionsController } from './download/renditions.controller';
import { RecordDocument } from './record/record-document';
import { RecordRenditions } from './record/record-renditions';
import { TransactionsController } from './feed/transactions.controller';
import { GetReadable } from './readable/get-readable';
import { ReadableController } from './readable/readable.controller';
import { GetValidation } from './validation/get-validation';
import { ValidationController } from './validation/validation.controller';

/**
 * The transaction: one document of one connection, with its record, its position in the polling feed and its download.
 * It must not depend on how documents are sent.
 */
@Module({
  imports: [DocumentsModule],
  controllers: [
    TransactionsController,
    RenditionsController,
    ValidationController,
    ReadableController,
    ConnectionTransactionsController,
    AcknowledgeController,
    ConsoleTransactionsController,
    ExpectedDocumentsController,
  ],
  providers: [
    RecordDocument,
    RecordRenditions,
    RecordMissingInvoice,
    WatchExpectedInvoices,
    KnownDocuments,
    FeedSequence,
    ListTransactions,
    ListConnectionTransactions,
    PullDocument,
    PullRendition,
    GetValidation,
    GetReadable,
    AcknowledgeTransactions,
    SearchTransactions,
    ListExpectedDocuments,
  ],
  exports: [FeedSequence, RecordDocument, KnownDocuments],
})
export class TransactionsModule {}
