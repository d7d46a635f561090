import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { TRANSACTION } from '../record/transaction-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { BodyFor } from '../../platform/http/input/validate-input';
import { AcknowledgeTransactionDto, AcknowledgeTransactionsDto } from './acknowledge.dto';
import { AcknowledgeTransactions } from './acknowledge-transactions';
import { NamedTransactionsGuard } from './named-transactions.guard';
import type { Transaction } from '../record/transaction.entity';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class AcknowledgeController {
  constructor(private readonly acknowledge: AcknowledgeTransactions) {}

  @Post('acknowledge')
  @Access('key')
  @HttpCode(204)
  @UseGuards(NamedTransactionsGuard)
  @ApiBody({ type: AcknowledgeTransactionsDto })
  @ApiOperation({
    operationId: 'acknowledgeTransactions',
    summary: 'Acknowledge up to 500 transactions',
    description:
      'All of them or none, with the same result; otherwise like for a single transaction. A transaction that does not exist is rejected with 422, which names its index in the list (`transaction_uuids.3`); one of another environment with 403.',
  })
  @ApiResponse({ status: 204, description: 'Acknowledged.' })
  @ApiErrors('NOT_YOUR_TRANSACTION', 'NOT_ALLOWED_BY_TOKEN', 'TRANSACTION_NOT_FOUND')
  many(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => AcknowledgeTransactionsDto) dto: AcknowledgeTransactionsDto,
  ): Promise<void> {
    const uuids = dto.transaction_uuids.map((uuid) => uuid.toLowerCase());
    return this.acknowledge.acknowledge(caller, uuids, dto);
  }

  @Post(':transaction_uuid/acknowledge')
  @Access('key')
  @HttpCode(204)
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'acknowledgeTransaction',
    summary: 'Acknowledge a transaction',
    description:
      'Confirms that you have received the document: its status becomes `ACKNOWLEDGED` or `REJECTED`, whatever it was before, and its content is kept for the environment’s retention time after delivery (7 days by default). A pending push is dropped. Repeating the request changes nothing; another result or message replaces the previous one.',
  })
  @ApiResponse({ status: 204, description: 'Acknowledged.' })
  one(
    @CurrentCaller() caller: Caller,
    @Resource() transaction: Transaction,
    @Body() dto: AcknowledgeTransactionDto,
  ): Promise<void> {
    return this.acknowledge.acknowledge(caller, [transaction.uuid], dto);
  }
}
