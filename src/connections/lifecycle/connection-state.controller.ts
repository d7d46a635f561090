import { Controller, Get, HttpCode, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { GetConnectionInformation } from './get-connection-information';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { CONNECTION } from '../access/connection-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import type { ConnectionRecord } from '../state/connection-record';
import { InformationView } from '../setup/information.view';
import { DisableConnection } from './disable-connection';
import { EnableConnection } from './enable-connection';

@ApiTags('Connections')
@Controller('v1/connections')
export class ConnectionStateController {
  constructor(
    private readonly disableConnection: DisableConnection,
    private readonly enableConnection: EnableConnection,
    private readonly getInformation: GetConnectionInformation,
  ) {}

  @Put(':uuid/disable')
  @Access('token', 'key')
  @HttpCode(204)
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'disableConnection',
    summary: 'Disable a connection',
    description: 'No new transactions are created until it is enabled again.',
  })
  @ApiResponse({ status: 204, description: 'Disabled.' })
  disable(@CurrentCaller() caller: Caller, @Resource() connection: ConnectionRecord): Promise<void> {
    return this.disableConnection.disable(caller, connection.uuid);
  }

  @Put(':uuid/enable')
  @Access('token', 'key')
  @HttpCode(204)
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'enableConnection',
    summary: 'Enable a connection',
    description: 'It returns to the status that it would have without being disabled.',
  })
  @ApiResponse({ status: 204, description: 'Enabled.' })
  enable(@CurrentCaller() caller: Caller, @Resource() connection: ConnectionRecord): Promise<void> {
    return this.enableConnection.enable(caller, connection.uuid);
  }

  @Get(':uuid/information')
  @Access('token', 'key')
  @Owned(CONNECTION, { malformed: 404 })
  @ApiOperation({
    operationId: 'getConnectionInformation',
    summary: 'Get the input of the user',
    description: 'Both steps in readable form, without secrets and without a call to the provider.',
  })
  @ApiData(InformationView, 'The input.')
  @ApiErrors('NOT_YOUR_CONNECTION', 'NOT_ALLOWED_BY_TOKEN', 'CONNECTION_NOT_FOUND')
  async information(@Resource() { uuid }: ConnectionRecord): Promise<Enveloped<InformationView>> {
    return enveloped(await this.getInformation.get(uuid));
  }
}
