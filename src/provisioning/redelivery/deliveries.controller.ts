import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ConnectionFromBodyGuard } from '../../connections/access/connection-from-body.guard';
import { Clock } from '../../platform/clock/clock';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { TRANSACTION } from '../../transactions/record/transaction-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { notFound } from '../../platform/errors/errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { PageQuery } from '../../platform/http/input/page';
import { BodyFor } from '../../platform/http/input/validate-input';
import { readTransaction } from '../../transactions/feed/read-transactions';
import type { Transaction } from '../../transactions/record/transaction.entity';
import { TransactionView, transactionView } from '../../transactions/feed/transaction.view';
import { AttemptView } from './attempt.view';
import { ListAttempts } from './list-attempts';
import { RedeliverTransaction } from './redeliver-transaction';
import { RedeliverTransactions } from './redeliver-transactions';
import { RedeliverTransactionsDto } from './redeliver.dto';
import { RedeliveryView } from './redelivery.view';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class DeliveriesController {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly redeliverTransaction: RedeliverTransaction,
    private readonly redeliverTransactions: RedeliverTransactions,
    private readonly listAttempts: ListAttempts,
  ) {}

  @Post('redeliver')
  @Access('key')
  @HttpCode(202)
  @UseGuards(ConnectionFromBodyGuard)
  @ApiBody({ type: RedeliverTransactionsDto })
  @ApiOperation({
    operationId: 'redeliverTransactions',
    summary: 'Deliver many documents again',
    description:
      'Redelivers every document that matches at this moment, like a single redelivery. They are scheduled in the background, a thousand at a time, and then sent as fast as your endpoint accepts them.',
  })
  @ApiData(RedeliveryView, 'Scheduled.', 202)
  @ApiErrors('NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN')
  @Idempotent(202)
  async redeliverMany(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => RedeliverTransactionsDto) dto: RedeliverTransactionsDto,
  ): Promise<Enveloped<RedeliveryView>> {
    const { count, skipped } = await this.redeliverTransactions.request(caller, dto);
    return enveloped({ count, skipped });
  }

  @Post(':transaction_uuid/redeliver')
  @Access('key')
  @HttpCode(202)
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'redeliverTransaction',
    summary: 'Deliver a document again',
    description:
      'Restarts the delivery, whatever its status is, with the current strategy of the environment. Push: it is due immediately with all attempts available again, and with the same `Idempotency-Key`. Webhook: `document.available` is sent again. Polling: it is `AVAILABLE` again, at its old position in the feed, which returns every document exactly once. Rejected with `DOCUMENT_PURGED` when its content is no longer stored.',
  })
  @ApiData(TransactionView, 'Scheduled.', 202)
  @ApiErrors('DOCUMENT_PURGED')
  @LocationHeader('/v1/transactions/{transaction_uuid}')
  @Idempotent(202)
  async redeliverOne(
    @CurrentCaller() caller: Caller,
    @Resource() transaction: Transaction,
  ): Promise<Enveloped<TransactionView>> {
    await this.redeliverTransaction.redeliver(caller.actor, transaction.uuid);
    const placed = await readTransaction(this.em, transaction.uuid);
    if (!placed) throw notFound('TRANSACTION_NOT_FOUND'); // deleted since
    return enveloped(transactionView(placed, this.clock.now()));
  }

  @Get(':transaction_uuid/attempts')
  @Access('key')
  @Owned(TRANSACTION)
  @ApiOperation({
    operationId: 'listAttempts',
    summary: 'List the delivery log',
    description: 'Every attempt to push the document, oldest first, with the response of your endpoint.',
  })
  @ApiPage(AttemptView, 'A page of attempts.')
  attempts(@Resource() transaction: Transaction, @Query() query: PageQuery): Promise<Page<AttemptView>> {
    return this.listAttempts.list(transaction.uuid, query);
  }
}
