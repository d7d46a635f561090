import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { prepared } from '../platform/database/sql';
import type { Page } from '../platform/errors/envelope';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type PageQuery } from '../platform/http/input/page';
import { ReadReplica } from '../platform/replica/read-replica';
import type { TimelineRow } from './timeline-row';
import { type TimelineEntryView, timelineEntryView } from './timeline.view';

/** The start of the first page: sorts after every entry. */
const END_CURSOR: readonly [string, string] = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * SQL: the newest entries of one source before the cursor, read from an index that contains only the connection's rows
 * at this point.
 */
const entrySource = (name: string, table: string, at: string, condition: string) =>
  `(select '${name}' as source, uuid, ${at} as at from ${table}
    where ${condition} and (${at}, uuid) < ($2::timestamptz, $3::uuid) order by ${at} desc, uuid desc limit $4)`;

const SOURCES = [
  // Events and recorded actions. The end of a fetch is read from the fetch itself.
  entrySource(
    'event',
    'outbox',
    'created_at',
    "subject_uuid = $1 and type <> 'fetch.finished' and type <> 'webhook.test'",
  ),
  entrySource('fetch', '"fetch"', 'finished_at', "connection_uuid = $1 and retention_class <> 'UNFINISHED'"),
  entrySource('delivered', 'transaction', 'settled_at', 'connection_uuid = $1 and settled_at is not null'),
  // One entry regardless of the number of attempts, at the time of the latest, until the document is delivered or has
  // failed.
  entrySource(
    'delayed',
    'transaction',
    'last_attempt_at',
    'connection_uuid = $1 and due_at is not null and last_error is not null',
  ),
];

/**
 * SQL: the page with the data of each entry, each read by one lookup of a primary key, regardless of the size of the
 * tables.
 */
const PAGE = `
  with page as materialized (${SOURCES.join(' union all ')} order by at desc, uuid desc limit $4)
  select p.source, p.uuid, to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    o.type as event, o.data, f.trigger, f.status as fetch_status, f.new as documents_new, f.failed as documents_failed, f.filtered_by,
    f.error_code as fetch_error, t.uuid as transaction_uuid, t.filename, t.attempts, t.last_error->>'code' as delivery_error
  from page p
  left join lateral (select * from outbox where p.source = 'event' and uuid = p.uuid limit 1) o on true
  left join lateral (select * from "fetch" where p.source = 'fetch' and uuid = p.uuid limit 1) f on true
  left join lateral (
    select uuid, filename, attempts, last_error from transaction
    where uuid = case p.source when 'event' then (o.data->>'transaction_uuid')::uuid when 'fetch' then null else p.uuid end
    limit 1) t on true
  order by p.at desc, p.uuid desc`;

/**
 * `GET /v1/connections/{uuid}/timeline` (decisions 5): what happened to a connection, newest first. The cost depends on
 * the size of the page, not on the length of the history.
 */
@Injectable()
export class ListTimeline {
  constructor(private readonly replica: ReadReplica) {}

  async list(connectionUuid: string, query: PageQuery): Promise<Page<TimelineEntryView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const [at, uuid] = query.cursor ? decodeCursor<[string, string]>(query.cursor, isCursor) : END_CURSOR;
    const rows = await this.replica.read((em) =>
      prepared<TimelineRow>(em, PAGE, [connectionUuid, at, uuid, limit + 1]),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit;
    return {
      data: page.map(timelineEntryView).filter((entry) => entry !== null),
      meta: { next_cursor: hasMore && last ? encodeCursor([last.at, last.uuid]) : null, has_more: hasMore },
    };
  }
}

/** Checks for a timestamp in the format of this list, which the database accepts. */
const isTimestamp = (at: unknown): boolean =>
  typeof at === 'string' &&
  /^(19|20|21)\d{2}-/.test(at) &&
  !Number.isNaN(Date.parse(at)) &&
  new Date(at).toISOString() === at;

const isCursor = ([at, uuid, ...rest]: unknown[]): boolean => isTimestamp(at) && isUuid(uuid) && rest.length === 0;
