import type { Connection } from '@docfetch/sdk';
import { displayStatus } from '../api/next-step';
import { formatDateTime, formatNextFetch } from '../messages/date-format';
import { useMessages } from '../messages/use-messages';

/** The status of a connection as text with a colored dot; never by color alone (WCAG 1.4.1). */
export function StatusBadge({ connection }: { connection: Connection }) {
  const { messages } = useMessages();
  const { label, tone } = displayStatus(connection);
  return (
    <span className={`state ${tone}`}>
      <span className="state-dot" aria-hidden="true" />
      {messages.status[label]}
    </span>
  );
}

/** Sentences about the last and the next fetch. */
export function FetchSchedule({
  connection,
  hidesPause = false,
}: {
  connection: Connection;
  /** A message beside it says that the source is paused. */
  hidesPause?: boolean;
}) {
  const { messages, lang } = useMessages();
  const { last_fetch: last, last_success_at: success, next_fetch_at: next, status } = connection;
  const sentences: string[] = [];
  if (status === 'DISABLED' && !hidesPause) sentences.push(messages.fetched.paused);
  if (last?.finished_at) {
    const when = formatDateTime(last.finished_at, lang, messages.when);
    if (last.status === 'SUCCEEDED' || last.status === 'PARTIAL')
      sentences.push(messages.fetched.last(when, last.documents_new));
    else if (success) sentences.push(messages.fetched.success(formatDateTime(success, lang, messages.when)));
    else sentences.push(messages.fetched.failed(when));
  } else if (last) sentences.push(messages.fetched.running);
  else if (status === 'ACTIVE') sentences.push(messages.fetched.never);
  // Received e-mails are fetched as they arrive.
  if (next && connection.inbox_address === null)
    sentences.push(messages.fetched.next(formatNextFetch(next, lang, messages.when)));
  if (sentences.length === 0) return null;
  return (
    <p className="schedule">
      {sentences.map((sentence) => (
        <span key={sentence}>{sentence} </span>
      ))}
    </p>
  );
}
