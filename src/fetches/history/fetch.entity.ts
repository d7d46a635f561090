import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { LastFetch } from '../../connections/state/connection-state';

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
    trigger: p.string().$type<FetchTrigger>(),
    status: p.string().$type<FetchStatus>(),
    /** Every listed document has exactly one outcome: seen = new + duplicate + filtered + failed. */
    seen: p.integer(),
    new: p.integer(),
    duplicate: p.integer(),
    filtered: p.integer(),
    failed: p.integer(),
    /** Workers that have died while they ran the fetch. */
    interruptions: p.smallint().default(0),
    errorCode: p.text().nullable(),
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
    errorCode: string | null = null,
  ) {
    this.status = status;
    this.finishedAt = at;
    this.errorCode = errorCode;
  }
}
schema.setClass(Fetch);
