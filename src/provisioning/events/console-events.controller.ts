import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPage, type Page } from '../../platform/errors/envelope';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { ListEventsQuery } from './event.dto';
import { ListedEventView } from './event.view';
import { ListEvents } from './list-events';

@ApiTags('Console')
@Controller('v1/console/events')
export class ConsoleEventsController {
  constructor(private readonly listEvents: ListEvents) {}

  @Get()
  @Access('session')
  @ApiOperation({
    operationId: 'listLatestEvents',
    summary: 'List events, newest first',
    description:
      'The events of `GET /v1/events` in the reverse order, for people. Applications poll `GET /v1/events`, which returns every event exactly once.',
  })
  @ApiPage(ListedEventView, 'A page of events.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListEventsQuery): Promise<Page<ListedEventView>> {
    return this.listEvents.listLatest(caller, query);
  }
}
