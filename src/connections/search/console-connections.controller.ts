import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, apiPage, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { CONNECTION } from '../access/connection-resource';
import type { ConnectionRecord } from '../state/connection-record';
import { type ConsoleConnectionPage, ConsoleConnectionView, SearchMeta } from './console-connection.view';
import { PresentConnections } from './present-connections';
import { SearchConnections } from './search-connections';
import { SearchConnectionsQuery } from './search-connections.dto';

@ApiTags('Console')
@Controller('v1/console/connections')
export class ConsoleConnectionsController {
  constructor(
    private readonly searchConnections: SearchConnections,
    private readonly presenter: PresentConnections,
  ) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'searchConnections',
    summary: 'Search connections',
    description:
      'The connections of the environment, newest first; several filters are combined with AND. A page may have fewer items than `limit`, or none, although others follow: continue while `has_more` is true.',
  })
  @apiPage(ConsoleConnectionView, 'A page of connections.', SearchMeta)
  search(@CurrentCaller() caller: Caller, @Query() query: SearchConnectionsQuery): Promise<ConsoleConnectionPage> {
    return this.searchConnections.search(caller.environmentUuid, query);
  }

  @Get(':uuid')
  @Access('session')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'explainConnection',
    summary: 'Explain a connection',
    description: 'The connection with its identity and the reason for its state.',
  })
  @ApiData(ConsoleConnectionView, 'The connection.')
  async explain(@Resource() connection: ConnectionRecord): Promise<Enveloped<ConsoleConnectionView>> {
    return enveloped((await this.presenter.present([connection]))[0]!);
  }
}
