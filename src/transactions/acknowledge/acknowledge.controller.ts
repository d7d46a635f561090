import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiErrors } from '../../platform/errors/api-errors';
import { BodyFor } from '../../platform/http/input/validate-input';
import { AcknowledgeTransactionDto, AcknowledgeTransactionsDto } from './acknowledge.dto';
import { AcknowledgeTransactions } from './acknowledge-transactions';
import { NamedTransactionsGuard } from './named-transactions.guard';
import { NOT_OWN_TRANSACTION, OwnTransaction, OwnTransactionGuard } from '../record/own-transaction.guard';
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
  @ApiErrors(...NOT_OWN_TRANSACTION)
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
  @UseGuards(OwnTransactionGuard)
  @ApiParam({ name: 'transaction_uuid', format: 'uuid', description: 'The transaction.' })
  @ApiOperation({
    operationId: 'acknowledgeTransaction',
    summary: 'Acknowledge a transaction',
    description:
      'Confirms that you have received the document: its status becomes `ACKNOWLEDGED` or `REJECTED`, whatever it was before, and its content is kept for the environment’s retention time after delivery (7 days by default). A pending push is dropped. Repeating the request changes nothing; another result or message replaces the previous one.',
  })
  @ApiResponse({ status: 204, description: 'Acknowledged.' })
  @ApiErrors(...NOT_OWN_TRANSACTION)
  one(
    @CurrentCaller() caller: Caller,
    @OwnTransaction() transaction: Transaction,
    @Body() dto: AcknowledgeTransactionDto,
  ): Promise<void> {
    return this.acknowledge.acknowledge(caller, [transaction.uuid], dto);
  }
}
