import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EVENT_TYPES, type EventType } from '../../connections/webhooks/webhook.entity';
import { Conditions } from '../../platform/database/conditions';
import { dateOrNull, sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { FeedPage, Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT } from '../../platform/http/input/page';
import { ReadReplica } from '../../platform/replica/read-replica';
import { EVENT_FEED, FeedSequence } from '../../transactions/feed/feed-sequence';
import { renderEvents } from '../webhooks/render-event';
import { WEBHOOK_INTERRUPTED } from '../webhooks/webhook-client';
import type { ListEventsQuery } from './event.dto';
import type { EventDeliveryView, ListedEventView } from './event.view';

interface EventRow {
  readonly uuid: string;
  readonly type: EventType;
  readonly position: string;
}

type Place =
  { readonly after: number; readonly before?: undefined } | { readonly before: number; readonly after?: undefined };

interface DeliveryRow {
  readonly event_uuid: string;
  readonly webhook_uuid: string;
  readonly state: 'DELIVERED' | 'FAILED';
  readonly error_code: string | null;
  readonly status: number | null;
  readonly sent_at: string | null;
}

/** `GET /v1/events` (decisions 5): the events for webhooks as a feed that returns every event exactly once. */
@Injectable()
export class ListEvents {
  constructor(
    private readonly replica: ReadReplica,
    private readonly feedSequence: FeedSequence,
  ) {}

  async list({ environmentUuid }: Caller, query: ListEventsQuery): Promise<FeedPage<ListedEventView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    // First, so that this page contains every event that was dispatched before the request.
    await this.feedSequence.assign(environmentUuid, EVENT_FEED);
    const after = await this.feedSequence.startPosition(environmentUuid, query.cursor, EVENT_FEED);
    const { rows, page, data } = await this.read(environmentUuid, query, { after }, limit);
    const hasMore = rows.length > limit;
    const pollCursor = this.feedSequence.cursorOf(environmentUuid, Number(page.at(-1)?.position ?? after), EVENT_FEED);
    return {
      data,
      meta: { next_cursor: hasMore ? pollCursor : null, has_more: hasMore, poll_cursor: pollCursor },
    };
  }

  /** `GET /v1/console/events`: the same events, newest first. */
  async listLatest({ environmentUuid }: Caller, query: ListEventsQuery): Promise<Page<ListedEventView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    await this.feedSequence.assign(environmentUuid, EVENT_FEED);
    const before =
      query.cursor === undefined
        ? Number.MAX_SAFE_INTEGER
        : await this.feedSequence.startPosition(environmentUuid, query.cursor, EVENT_FEED);
    const { rows, page, data } = await this.read(environmentUuid, query, { before }, limit);
    const last = page.at(-1);
    const next =
      last && rows.length > limit
        ? this.feedSequence.cursorOf(environmentUuid, Number(last.position), EVENT_FEED)
        : null;
    return { data, meta: { next_cursor: next, has_more: next !== null } };
  }

  /** A page and one row more, if there is one. Every position is noted when it is assigned (ADR 33): the replica has all of them. */
  private read(environmentUuid: string, query: ListEventsQuery, place: Place, limit: number) {
    return this.replica.read(async (em) => {
      const rows = await this.rows(em, environmentUuid, query, place, limit + 1);
      const page = rows.slice(0, limit);
      return { rows, page, data: await this.views(em, page) };
    });
  }

  /** After a position, oldest first; or before one, newest first. */
  private rows(em: EntityManager, environmentUuid: string, query: ListEventsQuery, place: Place, limit: number) {
    const where = new Conditions()
      .and('environment_uuid = ?', environmentUuid)
      .and('position > ?', place.after)
      .and('position < ?', place.before)
      .and('type = ?', query.type)
      .and('type = any(?::text[])', query.type ? null : [...EVENT_TYPES])
      .and('subject_uuid = ?', query.connection_uuid)
      .and('created_at >= ?', query.created_from && new Date(query.created_from));
    return sql<EventRow>(
      em,
      `select uuid, type, position from outbox ${where.text} order by position ${place.before === undefined ? 'asc' : 'desc'} limit $${where.parameters.length + 1}`,
      [...where.parameters, limit],
    );
  }

  private async views(em: EntityManager, page: readonly EventRow[]): Promise<ListedEventView[]> {
    const uuids = page.map(({ uuid }) => uuid);
    const [events, deliveries] = [await renderEvents(em, uuids), await this.deliveries(em, uuids)];
    const views: ListedEventView[] = [];
    for (const { uuid, type } of page) {
      const event = events.get(uuid);
      // The subject of the event was deleted after the page was read.
      if (!event) continue;
      views.push({
        event_uuid: uuid,
        type,
        created_at: event.timestamp,
        data: event.data,
        deliveries: (deliveries.get(uuid) ?? []).map(deliveryView),
      });
    }
    return views;
  }

  private async deliveries(em: EntityManager, uuids: readonly string[]): Promise<Map<string, DeliveryRow[]>> {
    const rows = await sql<DeliveryRow>(
      em,
      `select event_uuid, webhook_uuid, state, error_code, status, sent_at from webhook_delivery
       where event_uuid = any($1::uuid[]) and state in ('DELIVERED', 'FAILED') order by uuid`,
      [uuids],
    );
    return Map.groupBy(rows, (row) => row.event_uuid);
  }
}

const deliveryView = (row: DeliveryRow): EventDeliveryView => ({
  webhook_uuid: row.webhook_uuid,
  status: row.state === 'DELIVERED' ? 'SENT' : row.error_code === WEBHOOK_INTERRUPTED ? 'INTERRUPTED' : 'FAILED',
  response_status: row.status,
  sent_at: dateOrNull(row.sent_at)?.toISOString() ?? null,
});
