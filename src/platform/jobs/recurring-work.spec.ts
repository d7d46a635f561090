import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { Settings } from '../config/settings';
import { everyProcess, IntervalFactor, Recurring, RecurringWork } from './recurring-work';

@Injectable()
class Sweeper {
  readonly swept: string[] = [];
  running = Promise.withResolvers<void>();

  @Recurring({ everyMs: 1_000, failure: 'Rows could not be swept' })
  async sweep(): Promise<void> {
    this.swept.push('worker');
    await this.running.promise;
    this.swept.push('done');
  }

  @Recurring({ everyMs: 1_000, failure: 'Memory could not be swept', runsIn: everyProcess })
  async sweepMemory(): Promise<void> {
    this.swept.push('process');
    await Promise.resolve();
  }
}

@Injectable()
class Reporter {
  reports = 0;

  @Recurring({ everyMs: 1_000, atStart: true, failure: 'No report could be written' })
  async report(): Promise<void> {
    this.reports++;
    await Promise.resolve();
  }
}

async function start(runsWorker: boolean) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule, ScheduleModule.forRoot()],
    providers: [
      Sweeper,
      Reporter,
      { provide: 'alias', useExisting: Sweeper },
      RecurringWork,
      IntervalFactor,
      { provide: Settings, useValue: { runsWorker } },
    ],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  return { app, sweeper: app.get(Sweeper), reporter: app.get(Reporter) };
}

describe('Recurring work', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('runs at its interval, without overlap', async () => {
    const { app, sweeper } = await start(true);
    expect(sweeper.swept).toEqual([]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(sweeper.swept).toEqual(['worker', 'process', 'process', 'process']);
    sweeper.running.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sweeper.swept.slice(4).filter((one) => one !== 'process')).toEqual(['done', 'worker', 'done']);
    await app.close();
  });

  it('runs only in workers, unless it is for every process', async () => {
    const { app, sweeper } = await start(false);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(sweeper.swept).toEqual(['process', 'process']);
    await app.close();
  });

  it('also runs at the start if it says so', async () => {
    const { app, sweeper, reporter } = await start(true);
    expect(reporter.reports).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(reporter.reports).toBe(3);
    sweeper.running.resolve();
    await app.close();
  });

  it('is awaited at shutdown and not started again', async () => {
    const { app, sweeper } = await start(true);
    await jest.advanceTimersByTimeAsync(1_000);
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(closed).toBe(false);
    sweeper.running.resolve();
    await closing;
    expect(sweeper.swept).toEqual(['worker', 'process', 'done']);
  });
});
