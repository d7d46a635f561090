import { Controller, Delete, Get, HttpCode, Put, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/openapi/error-bodies';
import { BodyFor } from '../../platform/http/input/validate-input';
import { CheckWebhookUrlGuard } from './check-webhook-url';
import type { ConnectionFacts } from '../state/connection-facts';
import { DeleteWebhook } from './delete-webhook';
import { GetConnectionWebhook } from './get-connection-webhook';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../access/own-connection';
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
    private readonly register: RegisterConnectionWebhook,
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
    description: 'As `GET /v1/webhooks/{uuid}` shows it; the secret is shown only when it is made.',
  })
  @ApiData(WebhookView, 'The registration.')
  @ApiErrors(401, NOT_OWN_CONNECTION, { 404: ['WEBHOOK_NOT_FOUND'] }, 422, 429)
  async get(@OwnConnection() connection: ConnectionFacts): Promise<Enveloped<WebhookView>> {
    return enveloped(webhookView(await this.getWebhook.run(connection)));
  }

  @Put()
  @Access('key')
  @UseGuards(OwnConnectionGuard, CheckWebhookUrlGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'registerConnectionWebhook',
    summary: 'Register a webhook for one connection',
    description:
      "It hears of this connection's events, beside the registrations of the environment. The first registration answers its secret, once; later ones replace address and events, keep the secret and enable it again. To see, test or disable it, or to get a new secret, use `/v1/webhooks/{uuid}` with the `uuid` of this answer.",
  })
  @ApiBody({ type: RegisterConnectionWebhookDto })
  @ApiData(WebhookSecretView, 'The registration; with its secret when it is the first.')
  @ApiErrors(401, NOT_OWN_CONNECTION, 413, 422, 429)
  async put(
    @CurrentCaller() caller: Caller,
    @OwnConnection() connection: ConnectionFacts,
    @BodyFor(() => RegisterConnectionWebhookDto) dto: RegisterConnectionWebhookDto,
  ): Promise<Enveloped<WebhookSecretView>> {
    return enveloped(webhookSecretView(await this.register.run(caller, connection, dto)));
  }

  @Delete()
  @Access('key')
  @HttpCode(204)
  @UseGuards(OwnConnectionGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'deleteConnectionWebhook',
    summary: "Delete a connection's webhook",
    description: 'Registrations of the environment still hear of the connection.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiErrors(401, NOT_OWN_CONNECTION, { 404: ['WEBHOOK_NOT_FOUND'] }, 422, 429)
  delete(@CurrentCaller() caller: Caller, @OwnConnection() connection: ConnectionFacts): Promise<void> {
    return this.deleteWebhook.ofConnection(caller, connection);
  }
}
