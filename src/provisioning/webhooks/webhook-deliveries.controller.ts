import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Webhook } from '../../connections/webhooks/webhook.entity';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { WEBHOOK } from '../../connections/webhooks/webhook-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { PageQuery } from '../../platform/http/input/page';
import { ListWebhookDeliveries } from './list-webhook-deliveries';
import { TestWebhook } from './test-webhook';
import { WebhookDeliveryView, WebhookTestView, webhookTestView } from './webhook-delivery.view';

@ApiTags('Webhooks')
@Controller('v1/webhooks/:uuid')
export class WebhookDeliveriesController {
  constructor(
    private readonly testWebhook: TestWebhook,
    private readonly listDeliveries: ListWebhookDeliveries,
  ) {}

  @Post('test')
  @Access('key')
  @HttpCode(200)
  @Owned(WEBHOOK)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends a signed `webhook.test` event immediately, independently of the subscribed types and also while the webhook is disabled, and returns the result: 200 even when the delivery failed. No body is needed.',
  })
  @ApiData(WebhookTestView, 'The result.')
  async test(@CurrentCaller() { actor }: Caller, @Resource() webhook: Webhook): Promise<Enveloped<WebhookTestView>> {
    return enveloped(webhookTestView(await this.testWebhook.sendTest(actor, webhook)));
  }

  @Get('deliveries')
  @Access('key')
  @Owned(WEBHOOK)
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: "Show a webhook's delivery log, newest first",
    description:
      'Waiting and sent events with the responses. Kept for as long as the history (`retention.history_days` of `GET /v1/environment`).',
  })
  @ApiPage(WebhookDeliveryView, 'A page of the log.')
  list(@Resource() webhook: Webhook, @Query() query: PageQuery): Promise<Page<WebhookDeliveryView>> {
    return this.listDeliveries.list(webhook, query);
  }
}
