import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import { NOT_OWN_IDENTITY, OwnIdentity, OwnIdentityGuard } from '../../identities/own-identity.guard';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { ListIdentityConnectionsQuery } from '../setup/connection.dto';
import { ConnectionView } from '../state/connection.view';
import { ListConnections } from './list-connections';

@ApiTags('Identities')
@Controller('v1/identities/:identity_uuid/connections')
export class IdentityConnectionsController {
  constructor(private readonly listConnections: ListConnections) {}

  @Get()
  @Access('key')
  @UseGuards(OwnIdentityGuard)
  @ApiParam({ name: 'identity_uuid', format: 'uuid', description: 'The identity.' })
  @ApiOperation({
    operationId: 'listIdentityConnections',
    summary: 'List the connections of an identity',
    description: 'Oldest first. Several filters are combined with AND.',
  })
  @ApiPage(ConnectionView, 'A page of connections.')
  @ApiErrors(...NOT_OWN_IDENTITY)
  list(
    @CurrentCaller() caller: Caller,
    @OwnIdentity() identity: Identity,
    @Query() query: ListIdentityConnectionsQuery,
  ): Promise<Page<ConnectionView>> {
    return this.listConnections.list(caller, identity.uuid, query, 'page');
  }
}
