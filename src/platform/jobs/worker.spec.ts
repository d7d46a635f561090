import { Worker } from './worker';

describe('A worker whose queue cannot be read', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('looks ever more rarely, up to every two seconds, says so once a minute, and goes on when it can', async () => {
    let away = true;
    let looks = 0;
    const said: unknown[] = [];
    const worker = new Worker({
      concurrency: 1,
      heartbeatMilliseconds: 10_000,
      fetch: () => {
        looks += 1;
        return away ? Promise.reject(new Error('The database is away.')) : Promise.resolve([]);
      },
      touch: () => Promise.resolve(),
      run: () => Promise.resolve(),
      failed: (error) => said.push((error as Error).message),
    });
    worker.start();
    await jest.advanceTimersByTimeAsync(59_000);
    expect(said).toEqual(['The database is away.']);
    expect(looks).toBeGreaterThan(28);
    expect(looks).toBeLessThan(34);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(said).toHaveLength(2);

    away = false;
    await jest.advanceTimersByTimeAsync(2_000);
    looks = 0;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(4); // as often as ever

    away = true;
    await jest.advanceTimersByTimeAsync(250);
    expect(said).toHaveLength(3);
    await worker.stop();
  });
});
