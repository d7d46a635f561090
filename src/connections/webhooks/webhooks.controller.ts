import { Controller, Delete, Get, HttpCode, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/openapi/error-bodies';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import { CheckWebhookUrlGuard } from './check-webhook-url';
import { CreateWebhook } from './create-webhook';
import { DeleteWebhook } from './delete-webhook';
import { ListWebhooks } from './list-webhooks';
import {
  bodyOfUpdate,
  NOT_OWN_WEBHOOK,
  NOT_WHOLE_ENVIRONMENT,
  OwnWebhook,
  OwnWebhookGuard,
  WholeEnvironmentGuard,
} from './own-webhook';
import { UpdateWebhook } from './update-webhook';
import { CreateWebhookDto, ListWebhooksQuery, UpdateWebhookDto } from './webhook.dto';
import type { Webhook } from './webhook.entity';
import { WebhookSecretView, webhookSecretView, WebhookView, webhookView } from './webhook.view';

const UUID = {
  name: 'uuid',
  format: 'uuid',
  description: 'The registration.',
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
  @UseGuards(WholeEnvironmentGuard, CheckWebhookUrlGuard)
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Register a webhook for the environment',
    description:
      'From now on every event of the chosen types is sent to the address: signed (Standard Webhooks) with the secret that this answer shows once, sent once, never repeated. Up to 20 registrations per environment.',
  })
  @ApiBody({ type: CreateWebhookDto })
  @ApiData(WebhookSecretView, 'The registration, with its secret.', 201)
  @ApiErrors(401, NOT_WHOLE_ENVIRONMENT, 413, { 422: ['TOO_MANY_WEBHOOKS'] }, 429)
  @LocationHeader('/v1/webhooks/{uuid}')
  @Idempotent(201)
  async create(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => CreateWebhookDto) dto: CreateWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.createWebhook.run(caller, dto)));
  }

  @Get()
  @Access('key')
  @UseGuards(WholeEnvironmentGuard)
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhooks, oldest first',
    description: "The environment's; with `connection_uuid` that connection's own one.",
  })
  @ApiPage(WebhookView, 'A page of registrations, without their secrets.')
  @ApiErrors(401, NOT_WHOLE_ENVIRONMENT, 422, 429)
  list(@CurrentCaller() caller: Caller, @Query() query: ListWebhooksQuery): Promise<Page<WebhookView>> {
    return this.listWebhooks.run(caller, query);
  }

  @Get(':uuid')
  @Access('key')
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: "One of the environment's, or a connection's own one.",
  })
  @ApiData(WebhookView, 'The registration, without its secret.')
  @ApiErrors(401, NOT_OWN_WEBHOOK, 422, 429)
  get(@OwnWebhook() webhook: Webhook): Enveloped<WebhookView> {
    return enveloped(webhookView(webhook));
  }

  @Patch(':uuid')
  @Access('key')
  @UseGuards(OwnWebhookGuard, CheckWebhookUrlGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'What is left out stays as it is. Enabling it again begins anew; what happened while it was disabled is not sent.',
  })
  @ApiBody({ type: UpdateWebhookDto })
  @ApiData(WebhookSecretView, 'Changed; with the new secret if one was asked for.')
  @ApiErrors(401, NOT_OWN_WEBHOOK, 413, 422, 429)
  async update(
    @CurrentCaller() caller: Caller,
    @OwnWebhook() webhook: Webhook,
    @BodyFor(bodyOfUpdate) dto: UpdateWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.updateWebhook.run(caller, webhook, dto)));
  }

  @Delete(':uuid')
  @Access('key')
  @HttpCode(204)
  @UseGuards(OwnWebhookGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it; its delivery log goes too.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiErrors(401, NOT_OWN_WEBHOOK, 422, 429)
  delete(@CurrentCaller() caller: Caller, @OwnWebhook() webhook: Webhook): Promise<void> {
    return this.deleteWebhook.run(caller, webhook);
  }
}
