import { Controller, Delete, Get, HttpCode, Put, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { BodyFor } from '../../platform/http/input/validate-input';
import { WebhookUrlGuard } from './webhook-url.guard';
import type { ConnectionRecord } from '../state/connection-record';
import { DeleteWebhook } from './delete-webhook';
import { GetConnectionWebhook } from './get-connection-webhook';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../access/own-connection.guard';
import { RegisterConnectionWebhook } from './register-connection-webhook';
import { RegisterConnectionWebhookDto } from './webhook.dto';
import { WebhookSecretView, webhookSecretView, WebhookView, webhookView } from './webhook.view';

const UUID = {
  name: 'uuid',
  format: 'uuid',
  description: 'The connection.',
  example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
};

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
  @UseGuards(OwnConnectionGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'getConnectionWebhook',
    summary: "Get a connection's webhook",
    description: 'The same view as `GET /v1/webhooks/{uuid}`; the secret is shown only when it is created.',
  })
  @ApiData(WebhookView, 'The webhook.')
  @ApiErrors(...NOT_OWN_CONNECTION, 'WEBHOOK_NOT_FOUND')
  async get(@OwnConnection() connection: ConnectionRecord): Promise<Enveloped<WebhookView>> {
    return enveloped(webhookView(await this.getWebhook.get(connection)));
  }

  @Put()
  @Access('key')
  @UseGuards(OwnConnectionGuard, WebhookUrlGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'registerConnectionWebhook',
    summary: 'Register a webhook for one connection',
    description:
      "Receives this connection's events, in addition to the registrations of the environment. The first registration returns its secret, once; later ones replace address and events, keep the secret and enable it again. To read, test or disable it, or to get a new secret, use `/v1/webhooks/{uuid}` with the `uuid` of this response.",
  })
  @ApiBody({ type: RegisterConnectionWebhookDto })
  @ApiData(WebhookSecretView, 'The registration; with its secret if it is new.')
  @ApiErrors(...NOT_OWN_CONNECTION)
  async put(
    @CurrentCaller() caller: Caller,
    @OwnConnection() connection: ConnectionRecord,
    @BodyFor(() => RegisterConnectionWebhookDto) dto: RegisterConnectionWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.registerWebhook.register(caller, connection, dto)));
  }

  @Delete()
  @Access('key')
  @HttpCode(204)
  @UseGuards(OwnConnectionGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'deleteConnectionWebhook',
    summary: "Delete a connection's webhook",
    description: 'Registrations of the environment still receive the events of the connection.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiErrors(...NOT_OWN_CONNECTION, 'WEBHOOK_NOT_FOUND')
  delete(@CurrentCaller() caller: Caller, @OwnConnection() connection: ConnectionRecord): Promise<void> {
    return this.deleteWebhook.deleteOfConnection(caller, connection);
  }
}
