import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { AcknowledgeController } from './acknowledge.controller';
import { AcknowledgeTransactions } from './acknowledge-transactions';
import { KnownDocuments } from './known-documents';
import { ListTransactions } from './list-transactions';
import { OwnTransactionGuard } from './own-transaction';
import { Positions } from './position';
import { PullDocument } from './pull-document';
import { RecordDocument } from './record-document';
import { TransactionsController } from './transactions.controller';

/**
 * Owns the transaction: one document of one connection, its record, its place in the polling feed and how it is pulled.
 * Refuses to know how it is sent.
 */
@Module({
  imports: [DocumentsModule],
  controllers: [TransactionsController, AcknowledgeController],
  providers: [
    RecordDocument,
    KnownDocuments,
    Positions,
    ListTransactions,
    PullDocument,
    AcknowledgeTransactions,
    OwnTransactionGuard,
  ],
  exports: [Positions, RecordDocument, KnownDocuments],
})
export class TransactionsModule {}
