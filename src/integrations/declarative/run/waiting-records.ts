import { instantOf } from '../language/expressions/instants';
import type { Evaluate } from '../language/expressions/evaluate';
import type { CompiledStream } from '../compile/streams';
import type { ProviderClient } from './provider-client';
import { idOf } from './references';

/** The maximum number of records in the cursor, which is written with every page. */
const MAX_WAITING = 1000;

/** Ids with the times of the records, in seconds. */
export type Waiting = { readonly [id: string]: number };

/** What a listing does with records that are not ready, or that the provider does not return at present. */
export interface NotReady {
  add(record: unknown): void;
  /** The record with this id is ready. */
  forget(id: string): void;
}

/** The listed records that are not ready, such as drafts. */
export class WaitingRecords implements NotReady {
  private readonly ids: Map<string, number>;
  /** The time of the oldest record that exceeded the limit. */
  private oldestDropped = Infinity;

  constructor(
    private readonly client: ProviderClient,
    private readonly stream: CompiledStream,
    private readonly at: Evaluate,
    kept: Waiting = {},
  ) {
    this.ids = new Map(Object.entries(kept));
  }

  get size(): number {
    return this.ids.size;
  }

  get kept(): Waiting {
    return Object.fromEntries(this.ids);
  }

  add(record: unknown): void {
    const id = idOf(this.client, this.stream, record);
    const time = instantOf(this.at(this.client.scope(record)), this.client.zone) ?? 0;
    if (this.ids.size < MAX_WAITING) this.ids.set(id, time);
    else if (!this.ids.has(id)) this.oldestDropped = Math.min(this.oldestDropped, time);
  }

  forget(id: string): void {
    this.ids.delete(id);
  }

  /** Limits the progress of a listing, so that records above the limit are listed again. */
  bound(until: number): number {
    return Math.min(until, this.oldestDropped);
  }
}
