import { Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NOT_OWN_WEBHOOK, OwnWebhook, OwnWebhookGuard } from '../../connections/webhooks/own-webhook.guard';
import type { Webhook } from '../../connections/webhooks/webhook.entity';
import { Access } from '../../platform/http/access/access.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { PageQuery } from '../../platform/http/input/page';
import { ListWebhookDeliveries } from './list-webhook-deliveries';
import { TestWebhook } from './test-webhook';
import { WebhookDeliveryView, WebhookTestView, webhookTestView } from './webhook-delivery.view';

const UUID = {
  name: 'uuid',
  format: 'uuid',
  description: 'The webhook.',
  example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
};

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
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends a signed `webhook.test` event immediately, independently of the subscribed types and also while the webhook is disabled, and returns the result: 200 even when the delivery failed. No body is needed.',
  })
  @ApiData(WebhookTestView, 'The result.')
  @ApiErrors(...NOT_OWN_WEBHOOK)
  async test(@OwnWebhook() webhook: Webhook): Promise<Enveloped<WebhookTestView>> {
    return enveloped(webhookTestView(await this.testWebhook.sendTest(webhook)));
  }

  @Get('deliveries')
  @Access('key')
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: "Show a webhook's delivery log, newest first",
    description: 'Waiting and sent events with the responses. Kept for 90 days.',
  })
  @ApiPage(WebhookDeliveryView, 'A page of the log.')
  @ApiErrors(...NOT_OWN_WEBHOOK)
  list(@OwnWebhook() webhook: Webhook, @Query() query: PageQuery): Promise<Page<WebhookDeliveryView>> {
    return this.listDeliveries.list(webhook, query);
  }
}
