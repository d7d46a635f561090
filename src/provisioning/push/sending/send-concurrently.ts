import { type ItemSource, Prefetcher } from './prefetcher';

/** What comes of one item: whether it went well, and later, when that is written down, whether to send nothing more. */
export interface SendResult {
  readonly ok: boolean;
  readonly stopRequested: Promise<boolean>;
}

/** How many at a time, how fast, and until when. */
export interface ConcurrencyControl {
  /** So many may be on their way now. Asked again whenever one has been sent. */
  readonly maxInFlight: () => number;
  /** So many more may be made ready now, and so many more may still be written down. */
  readonly prefetchCount: () => number;
  /** Resolves when the next may begin. */
  readonly throttle: () => Promise<void>;
  readonly shouldContinue: () => boolean;
}

/** What is to be sent, and how. */
export interface SendWork<Item, Ready> extends ItemSource<Item, Ready> {
  readonly send: (ready: Ready) => Promise<SendResult>;
}

/**
 * Sends items in their order, up to `lanes` of them at a time, until all are sent, one of them says to stop, or `goOn` does.
 * Success does not keep a lane waiting until it is written down, but failure does, so that an endpoint that has failed too
 * often is left alone at once. Answers whether one has said to stop.
 * @throws what `more`, `send` or `settled` throws, when all that was on its way has ended
 */
export async function sendConcurrently<Item, Ready>(
  work: SendWork<Item, Ready>,
  { maxInFlight: lanes, prefetchCount: ahead, throttle: pace, shouldContinue: goOn }: ConcurrencyControl,
): Promise<boolean> {
  const supply = new Prefetcher(work, ahead);
  const faults: unknown[] = [];
  const settling = new Set<Promise<void>>();
  const open = new Set<Promise<void>>();
  let stopped = false;
  let dry = false;

  const settle = (settled: Promise<boolean>) => {
    const noted: Promise<void> = settled
      .then((stop) => void (stopped ||= stop))
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => settling.delete(noted));
    settling.add(noted);
    return noted;
  };

  const going = () => !stopped && faults.length === 0 && goOn();

  const lane = async () => {
    while (going() && open.size <= lanes()) {
      await pace();
      const ready = going() ? await supply.take() : undefined;
      if (ready === undefined) dry = true;
      if (ready === undefined || !going()) return;
      const { ok, stopRequested: settled } = await work.send(ready);
      const noted = settle(settled);
      widen();
      if (!ok) await noted;
      while (settling.size >= lanes() + ahead()) await Promise.race(settling);
    }
  };
  const widen = () => {
    while (!dry && going() && open.size < lanes()) {
      const opened: Promise<void> = lane()
        .catch((fault: unknown) => void faults.push(fault))
        .finally(() => {
          open.delete(opened);
          widen(); // several may have ended at once because there were too many
        });
      open.add(opened);
    }
  };
  widen();
  while (open.size > 0) await Promise.all(open);
  await Promise.all(settling);
  if (faults.length > 0) throw faults[0];
  return stopped;
}
