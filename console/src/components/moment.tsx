import { useSyncExternalStore } from 'react';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { formatExact, formatRelative } from '../messages/dates';
import { useConsoleMessages } from '../messages/use-console-messages';

const TICK_MS = 30_000;
/** What has just happened may be in the future by the clock of the browser. */
const CLOCK_DIFFERENCE_MS = 10_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One timer for all dates of the page; none while it shows no dates. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** A date, both relative to now and exact; `inline` on one line, `until` as well, with the exact date first. */
export function Moment({
  at,
  until = false,
  inline = until,
}: {
  readonly at: string | null | undefined;
  readonly until?: boolean;
  readonly inline?: boolean;
}) {
  const { lang } = useMessages();
  const messages = useConsoleMessages();
  const current = useSyncExternalStore(subscribe, () => now);
  if (!at) return <span className="soft">{messages.time.never}</span>;
  const near = Date.parse(at) > Date.now() + CLOCK_DIFFERENCE_MS ? messages.time.soon : messages.time.now;
  const both = [formatRelative(at, lang, current) ?? near, formatExact(at, lang)];
  const [first, second] = until ? both.reverse() : both;
  return (
    <time className={inline ? 'moment inline' : 'moment'} dateTime={at} title={at}>
      <span>{first}</span> <span className="soft">{inline ? `(${second})` : second}</span>
    </time>
  );
}
