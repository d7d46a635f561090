import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CONNECTION } from '../../connections/access/connection-resource';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ListConnectionTransactions } from './list-connection-transactions';
import { ListConnectionTransactionsQuery } from './transaction.dto';
import { TransactionView } from './transaction.view';

@ApiTags('Transactions')
@Controller('v1/connections/:uuid/transactions')
export class ConnectionTransactionsController {
  constructor(private readonly listConnectionTransactions: ListConnectionTransactions) {}

  @Get()
  @Access('token', 'key')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'listConnectionTransactions',
    summary: 'List the documents of a connection',
    description:
      'Newest first, to be shown to a user. To receive every document once, poll `GET /v1/transactions` instead.',
  })
  @ApiPage(TransactionView, 'A page of documents.')
  list(
    @Resource() connection: ConnectionRecord,
    @Query() query: ListConnectionTransactionsQuery,
  ): Promise<Page<TransactionView>> {
    return this.listConnectionTransactions.list(connection, query);
  }
}
