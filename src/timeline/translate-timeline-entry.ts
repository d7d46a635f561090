import { translateFetchError } from '../fetches/history/fetch.view';
import { translate } from '../platform/errors/translate';
import { currentLang, formatValue } from '../platform/i18n/lang';
import type { ExpectedMissingData } from '../transactions/expected/record-missing-invoice';
import type { TimelineRow, TimelineType } from './timeline-row';

const ACTORS = ['API_KEY', 'UI_TOKEN', 'CONSOLE', 'SUPPORT'];
/** Causes that have a sentence of their own. */
const VARIANTS = ['REJECTED', 'DUPLICATE'];

/** Describes an entry in a sentence for the user, in the language of the request. */
export function translateTimelineEntry(type: TimelineType, cause: string | null, row: TimelineRow): string {
  const by = translate(`timeline.by.${cause !== null && ACTORS.includes(cause) ? cause : 'SOMEBODY'}`);
  const filename = row.filename ?? translate('timeline.documents.UNNAMED');
  switch (type) {
    case 'CONNECTION_CREATED':
      return translate(`timeline.connection.${row.data?.migrated === true ? 'MIGRATED' : 'CREATED'}`, { by });
    case 'CONNECTION_RENAMED':
      return translate('timeline.connection.RENAMED', { by, from: String(row.data?.from), to: String(row.data?.to) });
    case 'CONNECTION_UPDATED':
      return translate('timeline.connection.UPDATED', { by });
    case 'AUTHORIZED':
      return translate('timeline.connection.AUTHORIZED', { by });
    case 'SETUP_SAVED':
      return translate('timeline.connection.SETUP_SAVED', { by });
    case 'STATUS_CHANGED':
      return translateStatus(cause, row, by);
    case 'CONNECTION_OVERDUE':
      return translate('timeline.connection.OVERDUE', {
        reason: cause === null ? '' : translateFetchError(cause),
      }).trim();
    case 'CONNECTION_RECOVERED':
      return translate('timeline.connection.RECOVERED');
    case 'FETCH_FINISHED':
      return translateFetch(row);
    case 'DOCUMENT_EXPECTED':
      return translateExpected(row.data as unknown as ExpectedMissingData);
    default:
      return translate(`timeline.documents.${type}${cause !== null && VARIANTS.includes(cause) ? `_${cause}` : ''}`, {
        filename,
      });
  }
}

function translateExpected({ supplier, last_dates: dates, expected_by: limit }: ExpectedMissingData): string {
  const lang = currentLang();
  return translate('timeline.documents.DOCUMENT_EXPECTED', {
    supplier: supplier.name ?? supplier.vat_id ?? supplier.iban ?? '',
    limit,
    dates: new Intl.ListFormat(lang).format(dates.map((date) => formatValue(date, lang))),
  });
}

function translateStatus(cause: string | null, { data }: TimelineRow, by: string): string {
  if (data?.to === 'DISABLED') return translate('timeline.connection.DISABLED', { by });
  if (data?.from === 'DISABLED') return translate('timeline.connection.ENABLED', { by });
  if (data?.to !== 'INVALID_CREDENTIALS')
    return translate(`timeline.connection.${data?.to === 'ACTIVE' ? 'ACTIVE' : 'CHANGED'}`);
  return translate('timeline.connection.STOPPED', { reason: cause === null ? '' : translateFetchError(cause) }).trim();
}

function translateFetch({ fetch_status: status, documents_new: count, fetch_error: error }: TimelineRow): string {
  if (status === 'SUCCEEDED' || status === 'PARTIAL') {
    return count ? translate(`timeline.fetches.${status}`, { count }) : translate(`timeline.fetches.${status}_NOTHING`);
  }
  return translate(`timeline.fetches.${status}`, { reason: error === null ? '' : translateFetchError(error) }).trim();
}
