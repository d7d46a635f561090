import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../platform/clock/clock';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { TRANSACTION } from '../record/transaction-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, ApiFeed, type Enveloped, enveloped, type FeedPage } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { notFound } from '../../platform/errors/errors';
import { DownloadResponse } from '../download/download-response.decorator';
import { ListTransactions } from './list-transactions';
import { ConsoleContentGuard } from '../download/console-content.guard';
import { PullDocument } from '../download/pull-document';
import { readTransaction } from './read-transactions';
import { ListTransactionsQuery } from './transaction.dto';
import type { Transaction } from '../record/transaction.entity';
import { TransactionView, transactionView } from './transaction.view';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class TransactionsController {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly listTransactions: ListTransactions,
    private readonly pullDocument: PullDocument,
  ) {}

  @Get()
  @Access('token', 'key')
  @ApiOperation({
    operationId: 'listTransactions',
    summary: 'Poll for documents',
    description:
      'Oldest first. Keep `poll_cursor` and send it as `cursor` next time: every document is returned exactly once. `cursor=now` starts at the end.',
  })
  @ApiFeed(TransactionView, 'A page of the feed.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListTransactionsQuery): Promise<FeedPage<TransactionView>> {
    return this.listTransactions.list(caller, query);
  }

  @Get(':transaction_uuid')
  @Access('token', 'key')
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'Get a transaction',
    description: 'The metadata of the document and the state of its delivery; the content is downloaded separately.',
  })
  @ApiData(TransactionView, 'The transaction.')
  async get(@Resource() transaction: Transaction): Promise<Enveloped<TransactionView>> {
    const placed = await readTransaction(this.em, transaction.uuid);
    if (!placed) throw notFound('TRANSACTION_NOT_FOUND'); // deleted after the guard's check
    return enveloped(transactionView(placed, this.clock.now()));
  }

  @Get(':transaction_uuid/document')
  @Access('token', 'key')
  @Owned(TRANSACTION, { furtherGuards: [ConsoleContentGuard] })
  @ApiOperation({
    operationId: 'pullDocument',
    summary: 'Pull a document',
    description:
      'As JSON, the payload of a push; with `Accept: application/octet-stream`, or the document’s own type such as `application/pdf`, the bytes themselves. For the bytes, `Range` and `If-None-Match` are supported.',
  })
  @DownloadResponse()
  @ApiErrors('DOCUMENT_NOT_AVAILABLE', 'RANGE_NOT_SATISFIABLE', 'CONSOLE_CONTENT_FORBIDDEN')
  document(@Resource() transaction: Transaction, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pullDocument.pull(transaction, request, response);
  }
}
