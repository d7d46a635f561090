import { type Connection, fetchNow, getFetch } from '@docfetch/sdk';
import { useEffect, useState } from 'react';
import type { Problem } from '../../api/problem';
import { useMutation } from '../../api/use-mutation';
import { usePoll } from '../../api/use-poll';
import { type FlashMessage, successMessage } from '../../components/flash-message';
import { formatEarliest } from '../../messages/date-format';
import { useMessages } from '../../messages/use-messages';
import { useSession } from '../../session/session';

/** The clock of this device may be ahead: the service decides when a fetch is possible again. */
const MIN_WAIT_MS = 5_000;

export interface FetchNowAction {
  readonly start: () => void;
  readonly busy: boolean;
  /** No fetch is left for now. */
  readonly isUsedUp: boolean;
  /** What is left of the quota, or when the next fetch is possible. */
  readonly quota: string;
}

/** Starts a fetch on request, follows it to its end and knows the remaining quota (spec 4.6 rule 1). */
export function useFetchNow(
  connection: Connection,
  changed: (message: FlashMessage | null, problem?: Problem | null) => Promise<void>,
): FetchNowAction {
  const { messages, lang } = useMessages();
  const { client } = useSession();
  const [fetching, setFetching] = useState<string | null>(null);
  const { mutate, busy } = useMutation((problem) => void changed(null, problem));
  const { limit, remaining, resets_at: resetsAt } = connection.manual_fetches;
  const isUsedUp = remaining === 0 && resetsAt !== null;

  usePoll(
    async () => (await getFetch({ client, path: { uuid: fetching! } })).data,
    (fetch) => {
      if (!fetch.finished_at) return false;
      setFetching(null);
      const failed = fetch.status === 'FAILED' || fetch.status === 'CANCELLED';
      const text = `${messages.connection.fetchFailed} ${fetch.error?.message ?? ''}`.trim();
      void changed(
        failed ? { text, tone: 'warning' } : successMessage(messages.connection.fetchDone(fetch.counts.new)),
      );
      return true;
    },
    fetching !== null,
  );

  useEffect(() => {
    if (!isUsedUp) return;
    const wait = Math.max(MIN_WAIT_MS, Date.parse(resetsAt) - Date.now());
    const timer = setTimeout(() => void changed(null), wait);
    return () => clearTimeout(timer);
  }, [isUsedUp, resetsAt, changed]);

  const start = async () => {
    const queued = await mutate(() => fetchNow({ client, path: { uuid: connection.uuid } }));
    if (!queued) return;
    setFetching(queued.data.uuid);
    await changed({ text: messages.connection.fetchStarted, tone: 'info' });
  };
  return {
    start: () => void start(),
    busy: busy || fetching !== null,
    isUsedUp,
    quota: isUsedUp
      ? messages.connection.quotaUsed(limit, formatEarliest(Date.parse(resetsAt), lang, messages.when))
      : messages.connection.quota(remaining),
  };
}
