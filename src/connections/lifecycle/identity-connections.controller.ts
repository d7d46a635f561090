import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../identities/identity.entity';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { IDENTITY } from '../../identities/identity-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { ListIdentityConnectionsQuery } from '../setup/connection.dto';
import { ConnectionView } from '../state/views/connection.view';
import { ListConnections } from './list-connections';

@ApiTags('Identities')
@Controller('v1/identities/:identity_uuid/connections')
export class IdentityConnectionsController {
  constructor(private readonly listConnections: ListConnections) {}

  @Get()
  @Access('key')
  @Owned(IDENTITY)
  @ApiOperation({
    operationId: 'listIdentityConnections',
    summary: 'List the connections of an identity',
    description: 'Oldest first. Several filters are combined with AND.',
  })
  @ApiPage(ConnectionView, 'A page of connections.')
  list(
    @CurrentCaller() caller: Caller,
    @Resource() identity: Identity,
    @Query() query: ListIdentityConnectionsQuery,
  ): Promise<Page<ConnectionView>> {
    return this.listConnections.list(caller, identity.uuid, query, 'page');
  }
}
