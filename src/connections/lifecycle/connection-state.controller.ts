import { Controller, Get, HttpCode, Put, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { DescribeConnection } from './describe-connection';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/openapi/error-bodies';
import type { ConnectionFacts } from '../state/connection-facts';
import { InformationView } from '../setup/information.view';
import {
  NOT_OWN_CONNECTION,
  OwnConnection,
  OwnConnectionGuard,
  OwnConnectionOr404Guard,
} from '../access/own-connection';
import { SwitchConnection } from './switch-connection';

const UUID = { name: 'uuid', format: 'uuid', description: 'The connection.' };

@ApiTags('Connections')
@Controller('v1/connections')
export class ConnectionStateController {
  constructor(
    private readonly switchConnection: SwitchConnection,
    private readonly describe: DescribeConnection,
  ) {}

  @Put(':uuid/disable')
  @Access('token', 'key')
  @HttpCode(204)
  @UseGuards(OwnConnectionGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'disableConnection',
    summary: 'Disable a connection',
    description: 'No new transactions come to be until it is enabled again.',
  })
  @ApiResponse({ status: 204, description: 'Disabled.' })
  @ApiErrors(401, NOT_OWN_CONNECTION, 422, 429)
  disable(@CurrentCaller() caller: Caller, @OwnConnection() connection: ConnectionFacts): Promise<void> {
    return this.switchConnection.run(caller, connection.uuid, 'disabled');
  }

  @Put(':uuid/enable')
  @Access('token', 'key')
  @HttpCode(204)
  @UseGuards(OwnConnectionGuard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'enableConnection',
    summary: 'Enable a connection',
    description: 'It goes back to what it would be without the disabling.',
  })
  @ApiResponse({ status: 204, description: 'Enabled.' })
  @ApiErrors(401, NOT_OWN_CONNECTION, 422, 429)
  enable(@CurrentCaller() caller: Caller, @OwnConnection() connection: ConnectionFacts): Promise<void> {
    return this.switchConnection.run(caller, connection.uuid, 'enabled');
  }

  @Get(':uuid/information')
  @Access('token', 'key')
  @UseGuards(OwnConnectionOr404Guard)
  @ApiParam(UUID)
  @ApiOperation({
    operationId: 'getConnectionInformation',
    summary: 'See what the user entered',
    description: 'Both steps, readable, without secrets and without a call to the provider.',
  })
  @ApiData(InformationView, 'The input.')
  @ApiErrors(401, NOT_OWN_CONNECTION, 429)
  async information(@OwnConnection() { uuid }: ConnectionFacts): Promise<Enveloped<InformationView>> {
    return enveloped(await this.describe.run(uuid));
  }
}
