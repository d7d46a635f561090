/** What comes of one item: whether it went well, and later, when that is written down, whether to send nothing more. */
export interface Sent {
  readonly ok: boolean;
  readonly settled: Promise<boolean>;
}

/** How many at a time, how fast, and until when. */
export interface Traffic {
  readonly lanes: number;
  /** So many more are made ready meanwhile, and so many more may still be written down. */
  readonly ahead: number;
  /** Resolves when the next may begin. */
  readonly pace: () => Promise<void>;
  readonly goOn: () => boolean;
}

/** What is done with an item: `prepare` begins what can be done before its turn, and does not throw. */
export interface Work<Item, Ready> {
  readonly prepare: (item: Item) => Ready;
  readonly send: (ready: Ready) => Promise<Sent>;
}

/**
 * Sends items in their order, `lanes` of them at a time, until all are sent, one of them says to stop, or `goOn` does. Success
 * does not keep a lane waiting until it is written down, but failure does, so that an endpoint that has failed too often is
 * left alone at once. Answers whether one has said to stop.
 * @throws what `send` or `settled` throws, when all that was on its way has ended
 */
export async function inLanes<Item, Ready>(
  items: readonly Item[],
  { lanes, ahead, pace, goOn }: Traffic,
  { prepare, send }: Work<Item, Ready>,
): Promise<boolean> {
  const faults: unknown[] = [];
  const settling = new Set<Promise<void>>();
  let stopped = false;
  let prepared = 0;
  let next = 0;

  const settle = (settled: Promise<boolean>) => {
    const noted: Promise<void> = settled
      .then((stop) => void (stopped ||= stop))
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => settling.delete(noted));
    settling.add(noted);
    return noted;
  };

  const ready: Ready[] = [];
  const take = (): Ready => {
    const until = Math.min(items.length, ++next + ahead);
    // Several together: what they read, they ask for in one go.
    if (ready.length - 1 < ahead / 2) while (prepared < until) ready.push(prepare(items[prepared++]!));
    return ready.shift()!;
  };

  const going = () => next < items.length && !stopped && faults.length === 0 && goOn();

  const lane = async () => {
    while (going()) {
      await pace();
      if (!going()) return;
      const { ok, settled } = await send(take());
      const noted = settle(settled);
      if (!ok) await noted;
      while (settling.size >= lanes + ahead) await Promise.race(settling);
    }
  };
  const watched = () => lane().catch((fault: unknown) => void faults.push(fault));
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, watched));
  await Promise.all(settling);
  if (faults.length > 0) throw faults[0];
  return stopped;
}
