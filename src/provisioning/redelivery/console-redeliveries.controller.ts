import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { PageQuery } from '../../platform/http/input/page';
import { BodyFor } from '../../platform/http/input/validate-input';
import { ListRedeliveries } from './list-redeliveries';
import { RedeliverTransactions } from './redeliver-transactions';
import { RedeliverMatchingDto } from './redeliver.dto';
import { RedeliveryProgressView, RequestedRedeliveryView } from './redelivery-progress.view';
import { RedeliveryView } from './redelivery.view';

@ApiTags('Console')
@Controller('v1/console/redeliveries')
export class ConsoleRedeliveriesController {
  constructor(
    private readonly redeliverTransactions: RedeliverTransactions,
    private readonly listRedeliveries: ListRedeliveries,
  ) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listRedeliveries',
    summary: 'List bulk redeliveries',
    description: 'The bulk redeliveries of the environment with their progress, the latest first.',
  })
  @ApiPage(RedeliveryProgressView, 'A page of redeliveries.')
  list(@CurrentCaller() { environmentUuid }: Caller, @Query() query: PageQuery): Promise<Page<RedeliveryProgressView>> {
    return this.listRedeliveries.list(environmentUuid, query);
  }

  @Post('preview')
  @Access('session')
  @HttpCode(200)
  @ApiBody({ type: RedeliverMatchingDto })
  @ApiOperation({
    operationId: 'previewRedelivery',
    summary: 'Count what a bulk redelivery would deliver',
    description: 'Counts the documents that match now, and changes nothing.',
  })
  @ApiData(RedeliveryView, 'The number of documents.')
  async preview(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => RedeliverMatchingDto) dto: RedeliverMatchingDto,
  ): Promise<Enveloped<RedeliveryView>> {
    return enveloped(await this.redeliverTransactions.preview(caller, dto));
  }

  @Post()
  @Access('session')
  @HttpCode(202)
  @ApiBody({ type: RedeliverMatchingDto })
  @ApiOperation({
    operationId: 'requestRedelivery',
    summary: 'Deliver matching documents again',
    description:
      'Schedules every document that matches now, a thousand at a time, in the background: it can be left, and another process continues when one ends. The same request before it has finished restarts it.',
  })
  @ApiData(RequestedRedeliveryView, 'Scheduled.', 202)
  @Idempotent(202)
  async request(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => RedeliverMatchingDto) dto: RedeliverMatchingDto,
  ): Promise<Enveloped<RequestedRedeliveryView>> {
    const { uuid, count, skipped } = await this.redeliverTransactions.request(caller, dto);
    return enveloped({ redelivery_uuid: uuid, count, skipped });
  }
}
