import { type ConsoleRedelivery, listRedeliveries } from '@docfetch/sdk';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import type { TransactionMessages } from './messages/en';
import { useTransactionMessages } from './messages/use-transaction-messages';

const REFRESH_MS = 3_000;
/** What has ended longer ago is not news any more. */
const SHOWN_MS = 10 * 60_000;

/** The progress of redeliveries of many documents, also of those that somebody else has started. */
export function Redeliveries({ version }: { readonly version: number }) {
  const messages = useTransactionMessages();
  const { client } = useConsole();
  const { data } = useLiveData(
    async () => (await listRedeliveries({ client, query: { limit: 5 } })).data,
    `redeliveries ${version}`,
    REFRESH_MS,
  );
  const shown = (data ?? []).filter(
    ({ finished_at }) => finished_at === null || Date.now() - Date.parse(finished_at) < SHOWN_MS,
  );
  if (shown.length === 0) return null;
  return (
    <Section title={messages.redeliver.running}>
      <ul className="stack">
        {shown.map((redelivery) => (
          <li key={redelivery.redelivery_uuid}>
            <Progress redelivery={redelivery} messages={messages} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Progress({
  redelivery: { status, processed, total, requested_at, finished_at },
  messages: { redeliver, statuses },
}: {
  readonly redelivery: ConsoleRedelivery;
  readonly messages: TransactionMessages;
}) {
  const { lang } = useMessages();
  const text = redeliver.progress(formatNumber(processed, lang), formatNumber(total, lang));
  return (
    <>
      <p>
        {statuses[status]}: {text} {finished_at === null ? null : redeliver.finished}
      </p>
      <progress
        className="bar"
        max={Math.max(total, 1)}
        value={finished_at === null ? processed : total}
        aria-label={text}
      />
      <p className="soft">
        <Moment at={requested_at} inline />
      </p>
    </>
  );
}
