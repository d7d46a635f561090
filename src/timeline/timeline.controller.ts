import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { ConnectionRecord } from '../connections/state/connection-record';
import { NOT_OWN_CONNECTION, OwnConnection, OwnConnectionGuard } from '../connections/access/own-connection.guard';
import { Access } from '../platform/http/access/access.decorator';
import { ApiPage, type Page } from '../platform/errors/envelope';
import { ApiErrors } from '../platform/errors/api-errors';
import { PageQuery } from '../platform/http/input/page';
import { ListTimeline } from './list-timeline';
import { TimelineEntryView } from './timeline.view';

@ApiTags('Connections')
@Controller('v1/connections/:uuid/timeline')
export class TimelineController {
  constructor(private readonly listTimeline: ListTimeline) {}

  @Get()
  @Access('token', 'key')
  @UseGuards(OwnConnectionGuard)
  @ApiParam({ name: 'uuid', format: 'uuid', description: 'The connection.' })
  @ApiOperation({
    operationId: 'listTimeline',
    summary: 'List the history of a connection',
    description:
      'Newest first: changes and their actors, status changes with their cause, finished fetches, and deliveries. New types may be added: show their `message`.',
  })
  @ApiPage(TimelineEntryView, 'A page of the timeline.')
  @ApiErrors(...NOT_OWN_CONNECTION)
  list(@OwnConnection() { uuid }: ConnectionRecord, @Query() query: PageQuery): Promise<Page<TimelineEntryView>> {
    return this.listTimeline.list(uuid, query);
  }
}
