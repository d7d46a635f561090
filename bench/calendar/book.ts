import type { Client } from 'pg';

/** Who was fetched when, for a million connections: a few bytes each. */
export class Book {
  fetches = 0;
  private readonly places = new Map<string, number>();
  private last = new Float64Array();
  private times = new Uint16Array();
  private shortest = Infinity;
  private longest = 0;

  /** Makes a line for every connection that is in the calendar. */
  async open(client: Client): Promise<void> {
    const { rows } = await client.query<{ uuid: string }>(
      'select uuid from connection where next_fetch_at is not null',
    );
    for (const [place, { uuid }] of rows.entries()) this.places.set(uuid, place);
    this.last = new Float64Array(rows.length).fill(NaN);
    this.times = new Uint16Array(rows.length);
  }

  /** A fetch of this connection was queued at this time, in milliseconds. */
  enter(uuid: string, at: number): void {
    const place = this.places.get(uuid);
    if (place === undefined) throw new Error(`Connection ${uuid} was not in the calendar.`);
    const gap = at - this.last[place]!;
    if (this.times[place]! > 0) {
      this.shortest = Math.min(this.shortest, gap);
      this.longest = Math.max(this.longest, gap);
    }
    this.last[place] = at;
    this.times[place]!++;
    this.fetches++;
  }

  summary() {
    const { fetches, shortest, longest } = this;
    let [fewest, most] = [Infinity, 0];
    for (const times of this.times) [fewest, most] = [Math.min(fewest, times), Math.max(most, times)];
    return { fetches, fewest, most, shortest, longest };
  }
}
