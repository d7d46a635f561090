import type { Logger } from '@nestjs/common';
import { nonOverlapping } from './non-overlapping';

describe('A task that fails at every tick', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is logged immediately, for a different error, once a minute, and again after a success', async () => {
    let reason: string | null = 'refused';
    const logged: string[] = [];
    const logger = { error: (error: Error) => logged.push(error.message) } as unknown as Logger;
    const poll = nonOverlapping(
      () => (reason ? Promise.reject(new Error(reason)) : Promise.resolve()),
      logger,
      'The schedule could not be read',
    );
    const ticks = async (count: number) => {
      for (let tick = 0; tick < count; tick++) {
        await poll();
        await jest.advanceTimersByTimeAsync(500);
      }
    };
    await ticks(119);
    expect(logged).toEqual(['refused']);
    reason = 'starting up';
    await ticks(2);
    expect(logged).toEqual(['refused', 'starting up']);
    await ticks(120);
    expect(logged).toHaveLength(3);
    reason = null;
    await ticks(1);
    reason = 'starting up';
    await ticks(2);
    expect(logged).toHaveLength(4);
  });
});
