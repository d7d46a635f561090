import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { FilteredBy } from '../../integrations/core/filter-reason';
import type { LastFetch } from '../../connections/state/connection-state';
import type { RetentionClass } from '../../platform/history/retention-class';

export const FETCH_TRIGGERS = ['MANUAL', 'SCHEDULED', 'INITIAL', 'RECOVERY'] as const;
export type FetchTrigger = (typeof FETCH_TRIGGERS)[number];

export const FETCH_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED'] as const;
export type FetchStatus = (typeof FETCH_STATUSES)[number];

const schema = defineEntity({
  name: 'Fetch',
  tableName: 'fetch', // a reserved word: quoted in SQL
  properties: {
    uuid: p.uuid().primary(),
    connectionUuid: p.uuid(),
    environmentUuid: p.uuid(),
    /** The class in which its environment keeps the record of a fetch that has ended: moves the row into the history. */
    retentionClass: p.string().$type<RetentionClass | 'UNFINISHED'>().default('UNFINISHED'),
    trigger: p.string().$type<FetchTrigger>(),
    status: p.string().$type<FetchStatus>(),
    /** Every listed document has exactly one outcome: seen = new + duplicate + filtered + failed. */
    seen: p.integer(),
    new: p.integer(),
    duplicate: p.integer(),
    filtered: p.integer(),
    /** Why documents were not fetched, where some were not; its sum is `filtered`. */
    filteredBy: p.json<FilteredBy>().nullable(),
    failed: p.integer(),
    /** Workers that have died while they ran the fetch. */
    interruptions: p.smallint().default(0),
    errorCode: p.text().nullable(),
    /** The span of the request that has queued it. */
    traceparent: p.text().nullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** One run over one connection's source (spec 4.6, decisions 4). */
export class Fetch extends schema.class {
  [OptionalProps]?: 'summary';

  /** The summary that the connection shows of its latest fetch. */
  get summary(): LastFetch {
    return {
      uuid: this.uuid,
      status: this.status,
      finished_at: this.finishedAt?.toISOString() ?? null,
      documents_new: this.new,
    };
  }

  finish(
    status: Extract<FetchStatus, 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'CANCELLED'>,
    at: Date,
    retentionClass: RetentionClass,
    errorCode: string | null = null,
  ) {
    this.retentionClass = retentionClass;
    this.status = status;
    this.finishedAt = at;
    this.errorCode = errorCode;
  }
}
schema.setClass(Fetch);
