import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Settings } from '../../platform/config/settings';
import { Poller } from '../../platform/jobs/poller';
import { withLogFields } from '../../platform/request/work-scope';
import { Tracing } from '../../platform/tracing/tracing';
import { ClaimFetches } from '../scheduling/claim-fetches';
import { FetchWakeup } from '../scheduling/fetch-wakeup';
import { LoadFetches, type LoadedFetch } from './reading/load-fetches';
import { RunFetch } from './run-fetch';

/**
 * Runs fetches, up to `WORKER_CONCURRENCY` at once: claims what is due for its free places when a place becomes free, when a fetch is
 * queued in this process, and with every poll.
 */
@Injectable()
export class FetchWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FetchWorker.name);
  /** The uuid of each fetch that runs. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly shutdown = new AbortController();
  private readonly poller = new Poller(
    () => this.claimDue(),
    (error) => this.logger.error(error, 'Due fetches could not be claimed'),
  );
  private claiming: Promise<void> | null = null;
  private claimAgain = false;

  constructor(
    private readonly settings: Settings,
    private readonly wakeup: FetchWakeup,
    private readonly claimFetches: ClaimFetches,
    private readonly loadFetches: LoadFetches,
    private readonly runFetch: RunFetch,
    private readonly tracing: Tracing,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    this.wakeup.onWake(() => this.wake());
    this.poller.start();
    this.wake();
  }

  /** Resolves when nothing is due or no place is free. Does nothing in a process that does not fetch. */
  claimDue(): Promise<void> {
    if (!this.settings.runsWorker || this.shutdown.signal.aborted) return Promise.resolve();
    this.claimAgain = true;
    this.claiming ??= this.fillPlaces().finally(() => {
      this.claiming = null;
      if (this.claimAgain) this.wake();
    });
    return this.claiming;
  }

  /** Resolves when no fetch is running in this process and none can be claimed. For tests. */
  async idle(): Promise<void> {
    do {
      await Promise.all(this.running.keys());
      await this.claimDue();
    } while (this.running.size > 0);
  }

  /** Before the database closes, because running fetches have to record their progress. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort(new Error('The service is shutting down.'));
    await this.poller.stop();
    await this.claiming?.catch(() => undefined);
    await Promise.all(this.running.keys());
  }

  private wake(): void {
    this.claimDue().catch(() => undefined); // the next poll repeats and reports it
  }

  private get freePlaces(): number {
    return this.shutdown.signal.aborted ? 0 : this.settings.workerConcurrency - this.running.size;
  }

  private async fillPlaces(): Promise<void> {
    while (this.claimAgain) {
      this.claimAgain = false;
      await nextTurn(); // fetches that were committed together leave their places together
      while (this.freePlaces > 0) {
        const claims = await this.claimFetches.claim(this.freePlaces, [...this.running.values()]);
        if (claims.length === 0) break;
        for (const fetch of await this.loadFetches.load(claims)) this.begin(fetch);
      }
    }
  }

  private begin(fetch: LoadedFetch): void {
    const { uuid, connectionUuid, environmentUuid, traceparent: parent, trigger } = fetch.claim;
    const attributes = {
      'docfetch.fetch_uuid': uuid,
      'docfetch.connection_uuid': connectionUuid,
      'docfetch.environment_uuid': environmentUuid,
      'docfetch.integration': fetch.connection.integrationId,
      'docfetch.trigger': trigger,
    };
    const traced = () =>
      this.tracing.run(
        'fetch',
        () => ({ kind: 'CONSUMER', parent, attributes }),
        () => this.runFetch.run(fetch, this.shutdown.signal),
      );
    const work = () => traced().catch((error: unknown) => this.logger.error(error, 'A fetch could not be ended'));
    const run = withLogFields({ fetch_uuid: uuid, connection_uuid: connectionUuid }, work).finally(() => {
      this.running.delete(run);
      this.wake();
    });
    this.running.set(run, uuid);
  }
}
