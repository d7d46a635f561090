import { Controller, Delete, Get, HttpCode, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import { WebhookUrlGuard } from './webhook-url.guard';
import { CreateWebhook } from './create-webhook';
import { DeleteWebhook } from './delete-webhook';
import { ListWebhooks } from './list-webhooks';
import {
  updateWebhookBody,
  NOT_OWN_WEBHOOK,
  KEY_WITH_TOKEN,
  OwnWebhook,
  OwnWebhookGuard,
  EnvironmentKeyGuard,
} from './own-webhook.guard';
import { UpdateWebhook } from './update-webhook';
import { CreateWebhookDto, ListWebhooksQuery, UpdateWebhookDto } from './webhook.dto';
import type { Webhook } from './webhook.entity';
import { WebhookSecretView, webhookSecretView, WebhookView, webhookView } from './webhook.view';

const UUID = {
  name: 'uuid',
  format: 'uuid',
  description: 'The webhook.',
  example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
};

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly createWebhook: CreateWebhook,
    private readonly listWebhooks: ListWebhooks,
    private readonly updateWebhook: UpdateWebhook,
    private readonly deleteWebhook: DeleteWebhook,
  ) {}

  @Post()
  @Access('key')
  @UseGuards(EnvironmentKeyGuard, WebhookUrlGuard)
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Register a webhook for the environment',
    description:
      'From now on, every event of the selected types is sent to the address once, without retries, signed (Standard Webhooks) with the secret that only this response contains. Up to 20 registrations per environment.',
  })
  @ApiBody({ type: CreateWebhookDto })
  @ApiData(WebhookSecretView, 'The webhook, with its secret.', 201)
  @ApiErrors(...KEY_WITH_TOKEN, 'TOO_MANY_WEBHOOKS')
  @LocationHeader('/v1/webhooks/{uuid}')
  @Idempotent(201)
  async create(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => CreateWebhookDto) dto: CreateWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.createWebhook.create(caller, dto)));
  }

  @Get()
  @Access('key')
  @UseGuards(EnvironmentKeyGuard)
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhooks, oldest first',
    description: "The environment's webhooks; with `connection_uuid`, the webhook of that connection.",
  })
  @ApiPage(WebhookView, 'A page of webhooks, without their secrets.')
  @ApiErrors(...KEY_WITH_TOKEN)
  list(@CurrentCaller() caller: Caller, @Query() query: ListWebhooksQuery): Promise<Page<WebhookView>> {
    return this.listWebhooks.list(caller, query);
  }

  @Get(':uuid')
  @Access('key')
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'A webhook of the environment or of a connection.',
  })
  @ApiData(WebhookView, 'The webhook, without its secret.')
  @ApiErrors(...NOT_OWN_WEBHOOK)
  get(@OwnWebhook() webhook: Webhook): Enveloped<WebhookView> {
    return enveloped(webhookView(webhook));
  }

  @Patch(':uuid')
  @Access('key')
  @UseGuards(OwnWebhookGuard, WebhookUrlGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Omitted members stay unchanged. Enabling it again resets its failures; events from the disabled period are not sent.',
  })
  @ApiBody({ type: UpdateWebhookDto })
  @ApiData(WebhookSecretView, 'The updated registration; with the new secret if one was requested.')
  @ApiErrors(...NOT_OWN_WEBHOOK)
  async update(
    @CurrentCaller() caller: Caller,
    @OwnWebhook() webhook: Webhook,
    @BodyFor(updateWebhookBody) dto: UpdateWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.updateWebhook.update(caller, webhook, dto)));
  }

  @Delete(':uuid')
  @Access('key')
  @HttpCode(204)
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it; its delivery log is deleted as well.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiErrors(...NOT_OWN_WEBHOOK)
  delete(@CurrentCaller() caller: Caller, @OwnWebhook() webhook: Webhook): Promise<void> {
    return this.deleteWebhook.delete(caller, webhook);
  }
}
