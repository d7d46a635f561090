import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../../platform/http/access/access.decorator';
import { CONNECTION } from '../../access/connection-resource';
import { Owned, Resource } from '../../../platform/http/access/owned.decorator';
import { ApiData, type Enveloped, enveloped } from '../../../platform/errors/envelope';
import { ApiErrors } from '../../../platform/errors/api-errors';
import { BodyFor } from '../../../platform/http/input/validate-input';
import { WebhookUrlGuard } from '../webhook-url.guard';
import type { ConnectionRecord } from '../../state/connection-record';
import { DeleteWebhook } from '../delete-webhook';
import { GetConnectionWebhook } from './get-connection-webhook';
import { RegisterConnectionWebhook } from './register-connection-webhook';
import { RegisterConnectionWebhookDto } from '../webhook.dto';
import { WebhookSecretView, webhookSecretView, WebhookView, webhookView } from '../webhook.view';

const parameter = { example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };

@ApiTags('Webhooks')
@Controller('v1/connections/:uuid/webhook')
export class ConnectionWebhookController {
  constructor(
    private readonly registerWebhook: RegisterConnectionWebhook,
    private readonly deleteWebhook: DeleteWebhook,
    private readonly getWebhook: GetConnectionWebhook,
  ) {}

  @Get()
  @Access('key')
  @Owned(CONNECTION, { parameter })
  @ApiOperation({
    operationId: 'getConnectionWebhook',
    summary: "Get a connection's webhook",
    description: 'The same view as `GET /v1/webhooks/{uuid}`; the secret is shown only when it is created.',
  })
  @ApiData(WebhookView, 'The webhook.')
  @ApiErrors('WEBHOOK_NOT_FOUND')
  async get(@Resource() connection: ConnectionRecord): Promise<Enveloped<WebhookView>> {
    return enveloped(webhookView(await this.getWebhook.get(connection)));
  }

  @Put()
  @Access('key')
  @Owned(CONNECTION, { parameter, furtherGuards: [WebhookUrlGuard] })
  @ApiOperation({
    operationId: 'registerConnectionWebhook',
    summary: 'Register a webhook for one connection',
    description:
      "Receives this connection's events, in addition to the registrations of the environment. The first registration returns its secret, once; later ones replace address and events, keep the secret and enable it again. To read, test or disable it, or to get a new secret, use `/v1/webhooks/{uuid}` with the `uuid` of this response.",
  })
  @ApiBody({ type: RegisterConnectionWebhookDto })
  @ApiData(WebhookSecretView, 'The registration; with its secret if it is new.')
  async put(
    @CurrentCaller() caller: Caller,
    @Resource() connection: ConnectionRecord,
    @BodyFor(() => RegisterConnectionWebhookDto) dto: RegisterConnectionWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.registerWebhook.register(caller, connection, dto)));
  }

  @Delete()
  @Access('key')
  @HttpCode(204)
  @Owned(CONNECTION, { parameter })
  @ApiOperation({
    operationId: 'deleteConnectionWebhook',
    summary: "Delete a connection's webhook",
    description: 'Registrations of the environment still receive the events of the connection.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiErrors('WEBHOOK_NOT_FOUND')
  delete(@CurrentCaller() caller: Caller, @Resource() connection: ConnectionRecord): Promise<void> {
    return this.deleteWebhook.deleteOfConnection(caller, connection);
  }
}
