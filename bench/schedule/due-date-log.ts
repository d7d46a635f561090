import type { Client } from 'pg';

/** Due dates and fetches of a million connections, in a few bytes each. */
export class DueDateLog {
  fetches = 0;
  /** Milliseconds from the date of a fetch to the fetch itself, at most. */
  maxDelayMs = 0;
  /** Milliseconds from one date of a connection to its next, at least. */
  minIntervalMs = Infinity;
  private readonly indexByUuid = new Map<string, number>();
  private due = new Float64Array();
  private fetchCounts = new Uint16Array();

  /** Loads every scheduled connection with its first due date. */
  async load(client: Client): Promise<void> {
    const { rows } = await client.query<{ uuid: string; due: number }>(
      'select uuid, extract(epoch from next_fetch_at)::float8 * 1000 as due from connection where next_fetch_at is not null',
    );
    for (const [place, { uuid }] of rows.entries()) this.indexByUuid.set(uuid, place);
    this.due = Float64Array.from(rows, ({ due }) => due);
    this.fetchCounts = new Uint16Array(rows.length);
  }

  /**
   * A fetch of this connection was queued at this time, and its next date was set; in milliseconds.
   *
   * @throws Error when the connection was not due: that would be a second fetch for one date
   */
  recordFetch(uuid: string, at: number, next: number): void {
    const place = this.indexByUuid.get(uuid);
    if (place === undefined) throw new Error(`Connection ${uuid} was not in the schedule.`);
    const due = this.due[place]!;
    if (at < due) throw new Error(`Connection ${uuid} was fetched ${due - at} ms before its date.`);
    this.maxDelayMs = Math.max(this.maxDelayMs, at - due);
    this.minIntervalMs = Math.min(this.minIntervalMs, next - due);
    this.due[place] = next;
    this.fetchCounts[place]!++;
    this.fetches++;
  }

  /** The minimum and maximum number of fetches per connection. */
  minAndMaxFetches(): [number, number] {
    let [fewest, most] = [Infinity, 0];
    for (const times of this.fetchCounts) [fewest, most] = [Math.min(fewest, times), Math.max(most, times)];
    return [fewest, most];
  }

  /** The number of connections due before this time, in milliseconds; 0 at the end. */
  countOverdue(before: number): number {
    return this.due.reduce((sum, due) => (due <= before ? sum + 1 : sum), 0);
  }
}
