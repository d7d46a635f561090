import { type ItemSource, Prefetcher } from './prefetcher';

/**
 * The result of sending one item. `stopRequested` resolves when the result is recorded, to whether to send nothing
 * more.
 */
export interface SendResult {
  readonly ok: boolean;
  readonly stopRequested: Promise<boolean>;
}

/** Limits of concurrency and rate, and the condition to continue. */
export interface ConcurrencyControl {
  /** Maximum number of items in flight. Read again whenever one has been sent. */
  readonly maxInFlight: () => number;
  /** Number of further items that may be prepared in advance, and of further results that may still be being recorded. */
  readonly prefetchCount: () => number;
  /** Resolves when the next item may be sent. */
  readonly throttle: () => Promise<void>;
  readonly shouldContinue: () => boolean;
}

/** The items to send, and the function that sends one. */
export interface SendWork<Item, Ready> extends ItemSource<Item, Ready> {
  readonly send: (ready: Ready) => Promise<SendResult>;
}

/**
 * Sends items in order, up to `maxInFlight` at a time, until all are sent, one requests to stop, or `shouldContinue`
 * returns false. A success does not delay the next item until it is recorded; a failure does, so that an endpoint that
 * has failed too often gets no further requests. Returns whether an item has requested to stop.
 * @throws the error of `fetchMore`, `send` or `stopRequested`, after everything in flight has ended
 */
export async function sendConcurrently<Item, Ready>(
  work: SendWork<Item, Ready>,
  { maxInFlight, prefetchCount, throttle, shouldContinue }: ConcurrencyControl,
): Promise<boolean> {
  const prefetcher = new Prefetcher(work, prefetchCount);
  const errors: unknown[] = [];
  const recording = new Set<Promise<void>>();
  const workers = new Set<Promise<void>>();
  let stopped = false;
  let exhausted = false;

  const track = (stopRequested: Promise<boolean>) => {
    const recorded: Promise<void> = stopRequested
      .then((stop) => void (stopped ||= stop))
      .catch((error: unknown) => void errors.push(error))
      .finally(() => recording.delete(recorded));
    recording.add(recorded);
    return recorded;
  };

  const active = () => !stopped && errors.length === 0 && shouldContinue();

  const worker = async () => {
    while (active() && workers.size <= maxInFlight()) {
      await throttle();
      const ready = active() ? await prefetcher.take() : undefined;
      if (ready === undefined) exhausted = true;
      if (ready === undefined || !active()) return;
      const { ok, stopRequested } = await work.send(ready);
      const recorded = track(stopRequested);
      startWorkers();
      if (!ok) await recorded;
      while (recording.size >= maxInFlight() + prefetchCount()) await Promise.race(recording);
    }
  };
  const startWorkers = () => {
    while (!exhausted && active() && workers.size < maxInFlight()) {
      const started: Promise<void> = worker()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => {
          workers.delete(started);
          startWorkers(); // several may have ended at once because the limit was lowered
        });
      workers.add(started);
    }
  };
  startWorkers();
  while (workers.size > 0) await Promise.all(workers);
  await Promise.all(recording);
  if (errors.length > 0) throw errors[0];
  return stopped;
}
