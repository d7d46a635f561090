import { Controller, Delete, Get, HttpCode, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, type CallerRequest, CurrentCaller } from '../../platform/http/access/access.decorator';
import { WEBHOOK } from './webhook-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { EnvironmentKeyGuard } from '../../platform/http/access/environment-key.guard';
import { ApiData, ApiPage, type Enveloped, enveloped, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { LocationHeader } from '../../platform/http/headers/location-header';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import { BodyFor } from '../../platform/http/input/validate-input';
import { WebhookUrlGuard } from './webhook-url.guard';
import { CreateWebhook } from './create-webhook';
import { DeleteWebhook } from './delete-webhook';
import { ListWebhooks } from './list-webhooks';
import { UpdateWebhook } from './update-webhook';
import { CreateWebhookDto, ListWebhooksQuery, UpdateConnectionWebhookDto, UpdateWebhookDto } from './webhook.dto';
import type { Webhook } from './webhook.entity';
import { WebhookSecretView, webhookSecretView, WebhookView, webhookView } from './webhook.view';

/** The members that an update may have depend on whether the webhook is for one connection. */
const bodyOfUpdate = (_: Caller, { resource }: CallerRequest) =>
  (resource as Webhook).connectionUuid ? UpdateConnectionWebhookDto : UpdateWebhookDto;

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
  @ApiErrors('NOT_ALLOWED_BY_TOKEN', 'TOO_MANY_WEBHOOKS')
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
  @ApiErrors('NOT_ALLOWED_BY_TOKEN')
  list(@CurrentCaller() caller: Caller, @Query() query: ListWebhooksQuery): Promise<Page<WebhookView>> {
    return this.listWebhooks.list(caller, query);
  }

  @Get(':uuid')
  @Access('key')
  @Owned(WEBHOOK)
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'A webhook of the environment or of a connection.',
  })
  @ApiData(WebhookView, 'The webhook, without its secret.')
  get(@Resource() webhook: Webhook): Enveloped<WebhookView> {
    return enveloped(webhookView(webhook));
  }

  @Patch(':uuid')
  @Access('key')
  @Owned(WEBHOOK, { furtherGuards: [WebhookUrlGuard] })
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Omitted members stay unchanged. Enabling it again resets its failures; events from the disabled period are not sent.',
  })
  @ApiBody({ type: UpdateWebhookDto })
  @ApiData(WebhookSecretView, 'The updated registration; with the new secret if one was requested.')
  async update(
    @CurrentCaller() caller: Caller,
    @Resource() webhook: Webhook,
    @BodyFor(bodyOfUpdate) dto: UpdateWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.updateWebhook.update(caller, webhook, dto)));
  }

  @Delete(':uuid')
  @Access('key')
  @HttpCode(204)
  @Owned(WEBHOOK)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it; its delivery log is deleted as well.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  delete(@CurrentCaller() caller: Caller, @Resource() webhook: Webhook): Promise<void> {
    return this.deleteWebhook.delete(caller, webhook);
  }
}
