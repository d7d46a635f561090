import { TestClock } from '../../../harness/app/test-clock';
import { useTestContext } from '../../../harness/app/test-context';

/** A clock that can be stopped, so that `Retry-After` is exact to the second on a slow machine. */
class StoppableClock extends TestClock {
  private at: number | null = null;

  override now(): Date {
    return this.at === null ? super.now() : new Date(this.at);
  }

  stop(): void {
    this.at = super.now().getTime();
  }

  goOn(): void {
    this.at = null;
  }

  override advance(seconds: number): void {
    if (this.at === null) super.advance(seconds);
    else this.at += seconds * 1000;
  }
}

describe('Retry-After of fetch-now with a sliding window (spec 4.6 rule 1)', () => {
  const clock = new StoppableClock();
  const context = useTestContext({ clock });
  afterEach(() => clock.goOn());

  it('is exact to the second, for each slot that becomes free', async () => {
    const uuid = await context.createActiveConnection();
    // No scheduled fetch is due.
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, clock.in(100 * 3600)]);
    const fetchNow = () => context.client.request('post', `/v1/connections/${uuid}/fetch-now`);
    const refused = async () => Number((await fetchNow().expect(429)).headers['retry-after']);

    clock.stop();
    const begin = clock.now().getTime();
    const time = () => (clock.now().getTime() - begin) / 1000;
    const to = (seconds: number) => clock.advance(seconds - time());

    const hits = [0, 7, 600, 1811, 3000.5];
    for (const at of hits) {
      to(at);
      await fetchNow().expect(202);
    }
    for (const at of [3001, 3599, 3599.001, 3599.999]) {
      to(at);
      expect(await refused()).toBe(Math.ceil(3600 - at));
    }
    // Each slot becomes free an hour after it was used, and is used again a little later.
    const places = [...hits];
    for (let slide = 0; slide < 8; slide++) {
      const free = places.shift()! + 3600;
      to(free - 0.001);
      expect(await refused()).toBe(1);
      to(free + slide / 4);
      await fetchNow().expect(202);
      places.push(time());
      const next = Math.max(1, Math.ceil(places[0]! + 3600 - time()));
      expect(await refused()).toBe(next);
      expect(await refused()).toBe(next); // a rejected request changes nothing
    }
    to(places.at(-1)! + 3600);
    for (let i = 0; i < 5; i++) await fetchNow().expect(202);
    expect(await refused()).toBe(3600);
  });

  it('is not affected by requests that are rejected for other reasons', async () => {
    const uuid = await context.createActiveConnection();
    const fetchNow = () => context.client.request('post', `/v1/connections/${uuid}/fetch-now`);
    const due = (seconds: number) =>
      context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, clock.in(seconds)]);
    const disabled = (yes: boolean) =>
      context.query(`update connection set disabled_at = ${yes ? 'now()' : 'null'} where uuid = $1`, [uuid]);
    clock.stop();
    for (let i = 0; i < 5; i++) {
      await due(30);
      await fetchNow().expect(409);
      await disabled(true);
      await fetchNow().expect(422);
      await disabled(false);
      await due(9 * 3600);
      await fetchNow().expect(202);
      clock.advance(10);
    }
    expect((await fetchNow().expect(429)).headers['retry-after']).toBe('3550');
  });
});
