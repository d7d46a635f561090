import type { Event, Transaction } from '../../../typescript/dist/index.js';
import { followEvents, followTransactions } from '../feed/feeds';
import type { FollowedPage, FollowOptions } from '../feed/follow-feed';
import { eventLine, timeOfDay, transactionLine } from '../output/describe';
import { openSession, type Setup } from '../session';

export interface TailOptions {
  readonly from: 'now' | 'start';
  readonly follow: boolean;
  readonly interval: number;
  readonly connection?: string;
}

/** Prints documents and events as they happen, or with `--no-follow` those that there are. */
export async function tail(setup: Setup, { from, follow, interval, connection }: TailOptions): Promise<void> {
  const { context, output, messages } = setup;
  const { client } = openSession(setup);
  let interrupted = false;
  const ended = new AbortController();
  const options: FollowOptions = {
    cursor: from === 'now' ? 'now' : undefined,
    follow,
    intervalMs: interval * 1000,
    signal: AbortSignal.any([context.signal, ended.signal]),
    onInterrupted: () => {
      if (!interrupted) output.note(messages.serviceAway);
      interrupted = true;
    },
    onResumed: () => {
      if (interrupted) output.note(messages.serviceBack);
      interrupted = false;
    },
  };
  const query = { connection_uuid: connection };
  const [documents, events] = [followTransactions(client, query, options), followEvents(client, query, options)];
  const printAll = [
    each(documents, (document) => printDocument(setup, document)),
    each(events, (event) => printEvent(setup, event)),
  ];
  if (follow) output.note(messages.following);
  try {
    await Promise.all(printAll);
  } finally {
    ended.abort(); // An error of one feed ends the other.
  }
}

async function each<Item>(pages: AsyncIterable<FollowedPage<Item>>, print: (item: Item) => void): Promise<void> {
  for await (const { items } of pages) items.forEach(print);
}

function printDocument({ output }: Setup, document: Transaction): void {
  const at = timeOfDay(new Date(document.created_at));
  output.print({ kind: 'document', ...document }, [`${at}  document  ${transactionLine(document)}`]);
}

function printEvent({ output }: Setup, event: Event): void {
  output.print({ kind: 'event', ...event }, [`${timeOfDay(new Date(event.created_at))}  event  ${eventLine(event)}`]);
}
