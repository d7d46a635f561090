import { AsyncLocalStorage } from 'node:async_hooks';
import type { Job } from 'pg-boss';
import { Worker } from './worker';

describe('A worker', () => {
  it('runs jobs outside the async context of the request that wakes it', async () => {
    const request = new AsyncLocalStorage<string>();
    const waiting: Job<{ key: string }>[] = [];
    const contexts: unknown[] = [];
    const see = (what: string) => contexts.push([what, request.getStore()]);
    const worker = new Worker({
      concurrency: 1,
      heartbeatMilliseconds: 60_000,
      fetch: async (most) => {
        await Promise.resolve();
        if (waiting.length > 0) see('fetch');
        return waiting.splice(0, most);
      },
      touch: () => Promise.resolve(),
      run: async () => void see('run'),
      failed: fail,
    });
    worker.start();
    await worker.idle();
    waiting.push({} as Job<{ key: string }>, {} as Job<{ key: string }>);
    request.run('a request', () => worker.wake());
    await worker.idle();
    await worker.stop();
    expect(contexts).toEqual(
      Array(2)
        .fill([
          ['fetch', undefined],
          ['run', undefined],
        ])
        .flat(),
    );
  });
});

function fail(error: unknown): never {
  throw error;
}
