import { Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/access/access.decorator';
import { EVENT } from './event-resource';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { EnvironmentKeyGuard } from '../../platform/http/access/environment-key.guard';
import { ApiData, ApiFeed, type Enveloped, enveloped, type FeedPage } from '../../platform/errors/envelope';
import { ApiErrors } from '../../platform/errors/api-errors';
import { Idempotent } from '../../platform/http/idempotency/idempotency.interceptor';
import type { OutboxEvent } from '../../platform/outbox/outbox';
import { ListEventsQuery } from './event.dto';
import { ListedEventView, ResentEventView } from './event.view';
import { ListEvents } from './list-events';
import { ResendEvent } from './resend-event';

@ApiTags('Webhooks')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly listEvents: ListEvents,
    private readonly resendEvent: ResendEvent,
  ) {}

  @Get()
  @Access('key')
  @UseGuards(EnvironmentKeyGuard)
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'All events, oldest first, with their webhook deliveries; including events to which no webhook subscribes. Keep `poll_cursor` and send it as `cursor` next time: every event is returned exactly once. `cursor=now` starts at the end.',
  })
  @ApiFeed(ListedEventView, 'A page of the feed.')
  @ApiErrors('NOT_ALLOWED_BY_TOKEN')
  list(@CurrentCaller() caller: Caller, @Query() query: ListEventsQuery): Promise<FeedPage<ListedEventView>> {
    return this.listEvents.list(caller, query);
  }

  @Post(':event_uuid/resend')
  @Access('key')
  @HttpCode(202)
  @Owned(EVENT)
  @ApiOperation({
    operationId: 'resendEvent',
    summary: 'Resend an event',
    description:
      'Sends the event to every enabled webhook that subscribes to its type now, once, with the same `webhook-id` as before. The service never resends an event automatically.',
  })
  @ApiData(ResentEventView, 'The event is queued.', 202)
  @Idempotent(202)
  async resend(@CurrentCaller() caller: Caller, @Resource() event: OutboxEvent): Promise<Enveloped<ResentEventView>> {
    return enveloped({ event_uuid: event.uuid, webhooks: await this.resendEvent.resend(caller, event) });
  }
}
