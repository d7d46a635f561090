import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { TransactionView } from '../feed/transaction.view';
import { SearchTransactions } from './search-transactions';
import { SearchTransactionsQuery } from './search-transactions.dto';

@ApiTags('Console')
@Controller('v1/console/transactions')
export class ConsoleTransactionsController {
  constructor(private readonly searchTransactions: SearchTransactions) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'searchTransactions',
    summary: 'Search documents',
    description:
      'The documents of the environment, newest first; several filters are combined with AND. A page may have fewer items than `limit`, or none, although others follow: continue while `has_more` is true.',
  })
  @ApiPage(TransactionView, 'A page of documents.')
  search(
    @CurrentCaller() { environmentUuid }: Caller,
    @Query() query: SearchTransactionsQuery,
  ): Promise<Page<TransactionView>> {
    return this.searchTransactions.search(environmentUuid, query);
  }
}
