import { Poller } from './poller';

describe('A poller', () => {
  let polls = 0;
  let poll: Poller;
  let answer: () => Promise<void>;
  const errors: string[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    [polls, errors.length] = [0, 0];
    answer = () => Promise.resolve();
    poll = new Poller(
      () => (polls++, answer()),
      (error) => errors.push((error as Error).message),
    );
  });
  afterEach(() => jest.useRealTimers());

  const looksWithin = async (milliseconds: number) => {
    const before = polls;
    await jest.advanceTimersByTimeAsync(milliseconds);
    return polls - before;
  };

  it('polls four times a second, regardless of how often it is started', async () => {
    for (let times = 0; times < 3; times++) poll.start();
    expect(await looksWithin(10_000)).toBe(40);
    poll.start();
    expect(await looksWithin(1_000)).toBe(4);
    await poll.stop();
  });

  it('backs off to two seconds while it fails, reports it once a minute, and recovers', async () => {
    answer = () => Promise.reject(new Error('The database is away.'));
    poll.start();
    const atFirst = await looksWithin(59_000);
    expect(errors).toEqual(['The database is away.']);
    expect(atFirst).toBeGreaterThan(28);
    expect(atFirst).toBeLessThan(34);
    await looksWithin(60_000);
    expect(errors).toHaveLength(2);

    answer = () => Promise.resolve();
    await looksWithin(2_000);
    expect(await looksWithin(1_000)).toBe(4); // as often as before

    answer = () => Promise.reject(new Error('The database is away.'));
    await looksWithin(250);
    expect(errors).toHaveLength(3);
    await poll.stop();
  });

  it('does not overlap polls, and stops after the current one has ended', async () => {
    const gate = Promise.withResolvers<void>();
    answer = () => gate.promise;
    poll.start();
    expect(await looksWithin(10_000)).toBe(1);

    let stopped = false;
    const stop = poll.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(stopped).toBe(false);
    gate.resolve();
    await stop;
    expect(await looksWithin(10_000)).toBe(0);
  });
});
