import {
  type Connection,
  type FetchDetail,
  getConnection,
  getFetch,
  listFailures,
  listTimeline,
} from '../../../typescript/dist/index.js';
import { connectionSummary } from './connection-summary';
import type { Source } from './source';

const MAX_ENTRIES = 20;

/** Why a connection is as it is, and what helps. */
export async function explainConnection({ client, signal }: Source, uuid: string): Promise<object> {
  const path = { uuid };
  const { data: connection } = await getConnection({ client, signal, path });
  const [fetch, failures, timeline] = await Promise.all([
    connection.last_fetch ? getFetch({ client, signal, path: { uuid: connection.last_fetch.uuid } }) : null,
    listFailures({ client, signal, path, query: { limit: MAX_ENTRIES } }),
    listTimeline({ client, signal, path, query: { limit: MAX_ENTRIES } }),
  ]);
  return {
    explanation: sentences(connection, fetch?.data ?? null),
    connection: connectionSummary(connection),
    last_fetch: fetch && fetchSummary(fetch.data),
    documents_not_downloaded: failures.data,
    history: timeline.data.map(({ at, type, cause, message }) => ({ at, type, cause, message })),
  };
}

function fetchSummary({ uuid, trigger, status, counts, filtered_by, error, started_at, finished_at }: FetchDetail) {
  return { uuid, trigger, status, counts, filtered_by, error, started_at, finished_at };
}

function sentences(connection: Connection, fetch: FetchDetail | null): string[] {
  const { status, health, reason, setup_complete, last_success_at, next_fetch_at, failed_documents } = connection;
  const attention = reason
    ? `${reason.message} (${reason.code}, since ${reason.since}). What helps: ${reason.action}.`
    : 'Nothing needs attention.';
  return [
    `The connection is ${status}, its health is ${health}.`,
    attention,
    ...(setup_complete ? [] : ['Its setup is not complete, so that nothing is fetched.']),
    fetch ? fetchSentence(fetch) : 'It has not been fetched yet.',
    last_success_at ? `The last successful fetch ended at ${last_success_at}.` : 'No fetch has succeeded yet.',
    next_fetch_at ? `The next fetch is due at ${next_fetch_at}.` : 'No fetch is scheduled.',
    ...(failed_documents > 0
      ? [`${failed_documents} documents could not be downloaded; every fetch tries them again.`]
      : []),
  ];
}

function fetchSentence({ status, counts, error }: FetchDetail): string {
  const found = `${counts.seen} documents seen, ${counts.new} new, ${counts.duplicate} known, ${counts.filtered} filtered, ${counts.failed} failed`;
  return `The last fetch is ${status}: ${found}${error ? `; ${error.message} (${error.code})` : ''}.`;
}
