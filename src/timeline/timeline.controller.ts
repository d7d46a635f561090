import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ConnectionRecord } from '../connections/state/connection-record';
import { Access } from '../platform/http/access/access.decorator';
import { CONNECTION } from '../connections/access/connection-resource';
import { Owned, Resource } from '../platform/http/access/owned.decorator';
import { ApiPage, type Page } from '../platform/errors/envelope';
import { PageQuery } from '../platform/http/input/page';
import { ListTimeline } from './list-timeline';
import { TimelineEntryView } from './timeline.view';

@ApiTags('Connections')
@Controller('v1/connections/:uuid/timeline')
export class TimelineController {
  constructor(private readonly listTimeline: ListTimeline) {}

  @Get()
  @Access('token', 'key')
  @Owned(CONNECTION)
  @ApiOperation({
    operationId: 'listTimeline',
    summary: 'List the history of a connection',
    description:
      'Newest first: changes and their actors, status changes with their cause, finished fetches, and deliveries. New types may be added: show their `message`.',
  })
  @ApiPage(TimelineEntryView, 'A page of the timeline.')
  list(@Resource() { uuid }: ConnectionRecord, @Query() query: PageQuery): Promise<Page<TimelineEntryView>> {
    return this.listTimeline.list(uuid, query);
  }
}
