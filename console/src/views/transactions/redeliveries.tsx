import { type ConsoleRedelivery, listRedeliveries } from '@docfetch/sdk';
import { useState } from 'react';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { formatExact, formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import { useTransactionMessages } from './messages/use-transaction-messages';

const RUNNING_MS = 3_000;
/** Shows redeliveries that others have started. */
const IDLE_MS = 30_000;
/** Redeliveries that ended longer ago are not shown. */
const SHOWN_MS = 10 * 60_000;

/**
 * The progress of redeliveries of many documents, including those that others have started.
 * @param requests increases with each redelivery that this page requests, so that the list is loaded again
 */
export function Redeliveries({ requests }: { readonly requests: number }) {
  const { redeliver } = useTransactionMessages();
  const { client } = useConsole();
  const [isRunning, setRunning] = useState(false);
  const { data, problem, reload } = useLiveData(
    async () => {
      const { data: latest } = await listRedeliveries({ client, query: { limit: 5 } });
      setRunning(latest.some(({ finished_at }) => finished_at === null));
      return latest;
    },
    `redeliveries ${requests}`,
    isRunning ? RUNNING_MS : IDLE_MS,
  );
  const shown = (data ?? []).filter(
    ({ finished_at }) => finished_at === null || Date.now() - Date.parse(finished_at) < SHOWN_MS,
  );
  if (problem && (isRunning || requests > 0)) return <ProblemNotice problem={problem} retry={() => void reload()} />;
  if (shown.length === 0) return null;
  return (
    <Section title={redeliver.running}>
      <ul className="stack">
        {shown.map((redelivery) => (
          <li key={redelivery.redelivery_uuid}>
            <Progress redelivery={redelivery} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Progress({ redelivery }: { readonly redelivery: ConsoleRedelivery }) {
  const { redeliver } = useTransactionMessages();
  const { lang } = useMessages();
  const { processed, total, requested_at, finished_at } = redelivery;
  const isFinished = finished_at !== null;
  const criteria = useCriteria(redelivery);
  const done = isFinished ? total : processed;
  const text = redeliver.progress(formatNumber(done, lang), formatNumber(total, lang));
  return (
    <>
      <p>
        {criteria}: {text}
        {isFinished ? `, ${redeliver.finished}` : null}
      </p>
      <progress
        className="bar"
        max={Math.max(total, 1)}
        value={isFinished ? Math.max(total, 1) : processed}
        aria-label={criteria}
      />
      <p className="soft">
        <Moment at={requested_at} inline />
      </p>
    </>
  );
}

/** The criteria of a redelivery, in the words of the filters. */
function useCriteria(redelivery: ConsoleRedelivery): string {
  const { redeliver, statuses, documentTypes, connection, identity, from, to } = useTransactionMessages();
  const { lang } = useMessages();
  const { status, document_type: type, connection_uuid, identity_uuid, created_from, created_to } = redelivery;
  return [
    status === null ? redeliver.chosen : redeliver.withStatus(statuses[status]),
    type && documentTypes[type],
    connection_uuid && `${connection} ${connection_uuid}`,
    identity_uuid && `${identity} ${identity_uuid}`,
    created_from && `${from} ${formatExact(created_from, lang)}`,
    created_to && `${to} ${formatExact(created_to, lang)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
