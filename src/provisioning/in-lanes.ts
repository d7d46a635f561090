/** How one item goes its way, in steps that overlap with those of its neighbours. */
export interface Steps<Item, Ready> {
  /** What can be done before it is sent. */
  readonly prepare: (item: Item) => Promise<Ready>;
  /** Waits until one more may be sent. */
  readonly pace: () => Promise<void>;
  /** Resolves when it has been sent; `settled` resolves when that is written down, with whether to send nothing more. */
  readonly send: (ready: Ready) => Promise<{ readonly ok: boolean; readonly settled: Promise<boolean> }>;
}

/**
 * Sends items in their order, `lanes` of them at a time, until all are sent, one of them says to stop, or `goOn` does. One
 * more is being prepared meanwhile, and as many again may still be written down: success does not keep a lane waiting, but
 * failure does, so that an endpoint that has failed too often is left alone at once. Answers whether one has said to stop.
 * @throws what a step throws, when all that was on its way has ended
 */
export async function inLanes<Item, Ready>(
  items: readonly Item[],
  { prepare, pace, send }: Steps<Item, Ready>,
  lanes: number,
  goOn: () => boolean,
): Promise<boolean> {
  const faults: unknown[] = [];
  const settling = new Set<Promise<void>>();
  let stopped = false;
  let next = 0;
  const going = () => !stopped && faults.length === 0 && goOn();

  const prepareNext = () => {
    if (next === items.length || !going()) return null;
    const ready = prepare(items[next++]!);
    ready.catch(() => undefined); // thrown where it is awaited, if it still is
    return ready;
  };
  let ahead = prepareNext();
  const take = () => {
    const taken = ahead;
    ahead = prepareNext();
    return taken;
  };

  const settle = (settled: Promise<boolean>) => {
    const noted: Promise<void> = settled
      .then((stop) => void (stopped ||= stop))
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => settling.delete(noted));
    settling.add(noted);
    return noted;
  };

  const lane = async () => {
    for (let ready = take(); ready; ready = take()) {
      const prepared = await ready;
      await pace();
      if (!going()) return;
      const { ok, settled } = await send(prepared);
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
