import { sayFetchError } from '../fetches/history/fetch.view';
import { say } from '../platform/errors/say';
import type { TimelineRow, TimelineType } from './timeline-row';

const ACTORS = ['API_KEY', 'UI_TOKEN', 'SUPPORT'];

/** An entry as a sentence for the user, in the language of the request. */
export function translateTimelineEntry(type: TimelineType, cause: string | null, row: TimelineRow): string {
  const by = say(`timeline.by.${cause !== null && ACTORS.includes(cause) ? cause : 'SOMEBODY'}`);
  const filename = row.filename ?? say('timeline.documents.UNNAMED');
  switch (type) {
    case 'CONNECTION_CREATED':
      return say(`timeline.connection.${row.data?.migrated === true ? 'MIGRATED' : 'CREATED'}`, { by });
    case 'CONNECTION_RENAMED':
      return say('timeline.connection.RENAMED', { by, from: String(row.data?.from), to: String(row.data?.to) });
    case 'CONNECTION_UPDATED':
      return say('timeline.connection.UPDATED', { by });
    case 'AUTHORIZED':
      return say('timeline.connection.AUTHORIZED', { by });
    case 'SETUP_SAVED':
      return say('timeline.connection.SETUP_SAVED', { by });
    case 'STATUS_CHANGED':
      return translateStatus(cause, row, by);
    case 'CONNECTION_OVERDUE':
      return say('timeline.connection.OVERDUE', { reason: cause === null ? '' : sayFetchError(cause) }).trim();
    case 'CONNECTION_RECOVERED':
      return say('timeline.connection.RECOVERED');
    case 'FETCH_FINISHED':
      return translateFetch(row);
    default:
      return say(`timeline.documents.${type}${cause === 'REJECTED' ? '_REJECTED' : ''}`, { filename });
  }
}

function translateStatus(cause: string | null, { data }: TimelineRow, by: string): string {
  if (data?.to === 'DISABLED') return say('timeline.connection.DISABLED', { by });
  if (data?.from === 'DISABLED') return say('timeline.connection.ENABLED', { by });
  if (data?.to !== 'INVALID_CREDENTIALS')
    return say(`timeline.connection.${data?.to === 'ACTIVE' ? 'ACTIVE' : 'CHANGED'}`);
  return say('timeline.connection.STOPPED', { reason: cause === null ? '' : sayFetchError(cause) }).trim();
}

function translateFetch({ fetch_status: status, documents_new: count, fetch_error: error }: TimelineRow): string {
  if (status === 'SUCCEEDED' || status === 'PARTIAL') {
    return count ? say(`timeline.fetches.${status}`, { count }) : say(`timeline.fetches.${status}_NOTHING`);
  }
  return say(`timeline.fetches.${status}`, { reason: error === null ? '' : sayFetchError(error) }).trim();
}
