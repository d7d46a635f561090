/** What comes of one item: whether it went well, and later, when that is written down, whether to send nothing more. */
export interface Sent {
  readonly ok: boolean;
  readonly settled: Promise<boolean>;
}

/** How many at a time, how fast, and until when. */
export interface Traffic {
  readonly lanes: number;
  /** Resolves when the next may begin. */
  readonly pace: () => Promise<void>;
  readonly goOn: () => boolean;
}

/**
 * Sends items in their order, `lanes` of them at a time, until all are sent, one of them says to stop, or `goOn` does. As many
 * again may still be written down: success does not keep a lane waiting, but failure does, so that an endpoint that has failed
 * too often is left alone at once. Answers whether one has said to stop.
 * @throws what `send` or `settled` throws, when all that was on its way has ended
 */
export async function inLanes<Item>(
  items: readonly Item[],
  { lanes, pace, goOn }: Traffic,
  send: (item: Item) => Promise<Sent>,
): Promise<boolean> {
  const faults: unknown[] = [];
  const settling = new Set<Promise<void>>();
  let stopped = false;
  let next = 0;

  const settle = (settled: Promise<boolean>) => {
    const noted: Promise<void> = settled
      .then((stop) => void (stopped ||= stop))
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => settling.delete(noted));
    settling.add(noted);
    return noted;
  };

  const going = () => next < items.length && !stopped && faults.length === 0 && goOn();

  const lane = async () => {
    while (going()) {
      await pace();
      if (!going()) return;
      const { ok, settled } = await send(items[next++]!);
      const noted = settle(settled);
      if (!ok) await noted;
      while (settling.size >= lanes) await Promise.race(settling);
    }
  };
  const watched = () => lane().catch((fault: unknown) => void faults.push(fault));
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, watched));
  await Promise.all(settling);
  if (faults.length > 0) throw faults[0];
  return stopped;
}
