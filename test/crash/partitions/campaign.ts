import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../harness/eventually';
import { connectPortal } from '../../model/commands/connection';
import { acknowledge } from '../../model/commands/delivery';
import { fetchNow } from '../../model/commands/fetch';
import { poll } from '../../model/commands/poller';
import { place, placeDocuments } from '../../model/commands/source';
import { finish } from '../../model/finish';
import { MAX_UNWRITTEN } from '../../model/invariants';
import { KINDS, Model, type ModelConnection } from '../../model/model';
import { type ClientOptions, ModelRun } from '../../model/model-run';
import type { ServiceUnderTest } from '../../model/service-under-test';
import { settle } from '../../model/settle';

/** A worker that has not renewed its leases for this long may be replaced. */
const LEASE_SECONDS = 15;
/** An environment fetches every hour. */
const INTERVAL_SECONDS = 3601;
/** Documents that are placed at once, and that wait for the endpoint when something fails. */
const BURST = 100;
/** Pushes of a burst after which something fails. */
const BEGUN = 24;
/** The endpoint answers so slowly that several pushes are in flight when something fails, and so fast that it is not slow. */
const ACCEPT_MS = 20;
const PAUSE_MS = 500;
/** Also on a machine that does a lot else. */
const READY_MS = 300_000;
const MOST_STEPS = 10_000;

/** What happens while something fails. Redeliveries do not: they would permit documents to arrive again. */
const WORK = fc.oneof(
  { weight: 4, arbitrary: placeDocuments },
  { weight: 2, arbitrary: fetchNow },
  { weight: 4, arbitrary: poll },
  { weight: 1, arbitrary: acknowledge },
);

/** What followed a fault. */
export interface Aftermath {
  /** How many pushes arrived again, and how many were permitted to (decisions 6). */
  readonly counted: number;
  readonly permitted: number;
  /** How long it took until everything was done. */
  readonly settledSeconds: number;
}

/** The clients of a service that partly fails, and what they must observe: the model of the random commands and its rules. */
export class Campaign {
  private readonly model = new Model();
  private readonly steps;
  private push!: ModelConnection;
  private slow!: ModelConnection;

  private constructor(
    private readonly service: ServiceUnderTest,
    readonly modelRun: ModelRun,
    seed: number,
  ) {
    this.steps = fc.sample(WORK, { seed, numRuns: MOST_STEPS });
    modelRun.endpoint.acceptMs = ACCEPT_MS;
  }

  /** Has connections with documents that have been delivered; after `faults`, everything is recorded and delivered, and can be deleted. */
  static async run(
    service: ServiceUnderTest,
    seed: number,
    clients: ClientOptions,
    faults: (campaign: Campaign) => Promise<void>,
  ): Promise<void> {
    const modelRun = await ModelRun.start(service, new Map(), clients);
    const campaign = new Campaign(service, modelRun, seed);
    try {
      await campaign.connect();
      await faults(campaign);
      modelRun.endpoint.acceptMs = 0;
      await finish(campaign.model, modelRun);
    } finally {
      await modelRun.stop();
    }
  }

  /** Many documents are pushed, and others are downloaded slowly, when this resolves. */
  async begin(): Promise<void> {
    const { log } = this.modelRun.endpoint;
    await place(this.slow, this.modelRun, BURST / 2);
    for (let n = 0; n < 2; n++) await place(this.push, this.modelRun, BURST);
    const before = log.requests;
    await this.service.advance(INTERVAL_SECONDS);
    await eventually(() => Promise.resolve(log.requests >= before + BEGUN), 'documents are pushed', READY_MS);
  }

  /** Whether the work of a process that is away for this long is taken over. */
  isTakenOver(seconds: number): boolean {
    return seconds > LEASE_SECONDS;
  }

  /**
   * Runs `fault`, during which a process is away for that long, and lets the service come to rest: every rule of the model holds,
   * and a document arrives again only if that process was sending it or has not written its result (decisions 6).
   */
  async during(seconds: number, fault: () => Promise<void>): Promise<Aftermath> {
    const { log } = this.modelRun.endpoint;
    const permitted = this.isTakenOver(seconds) ? MAX_UNWRITTEN : 0;
    const before = log.excused;
    log.tolerateRepeats(permitted);
    await fault();
    const since = performance.now();
    await this.settle();
    return { counted: log.excused - before, permitted, settledSeconds: secondsSince(since) };
  }

  /** Clients and portals work for that long. */
  async work(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      const step = this.steps.pop()!;
      if (step.check(this.model)) await step.run(this.model, this.modelRun);
      await pause(Math.max(0, Math.min(PAUSE_MS, until - performance.now())));
    }
  }

  settle() {
    return settle(this.model, this.modelRun);
  }

  private async connect(): Promise<void> {
    const portal = { documents: 5, selection: [...KINDS] };
    this.push = await connectPortal(this.model, this.modelRun, { ...portal, strategy: 'PUSH' });
    await connectPortal(this.model, this.modelRun, { ...portal, strategy: 'PUSH' });
    await connectPortal(this.model, this.modelRun, { ...portal, strategy: 'POLLING' });
    this.slow = await this.connectSlow(5, 200);
    await this.settle();
  }

  /** A portal with that many documents, each of which takes that long. */
  connectSlow(documents: number, milliseconds: number): Promise<ModelConnection> {
    return connectPortal(this.model, this.modelRun, {
      strategy: 'POLLING',
      documents,
      selection: [...KINDS],
      fields: { scenario: 'slow', delay_ms: milliseconds },
    });
  }
}

/** How many seconds pass until the process at this address is ready. */
export async function secondsUntilReady(url: string): Promise<number> {
  const since = performance.now();
  const isReady = () =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.status === 200,
      () => false,
    );
  await eventually(isReady, `${url} is ready again`, READY_MS);
  return secondsSince(since);
}

export const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10;
