import { translate } from '../../platform/errors/translate';
import type { ConnectionRecord } from '../state/connection-record';
import type { ConnectionView } from '../state/views/connection.view';

const UNFINISHED: readonly unknown[] = ['QUEUED', 'RUNNING'];

/**
 * The reason for the state of a connection, in one sentence in the language of the request. Paused takes precedence over the reason that
 * prevents fetching; a healthy one is explained by the documents that it lacks, or by its last fetch.
 */
export function explainConnection(
  { lastFetch }: ConnectionRecord,
  { status, reason, failed_documents: failed }: ConnectionView,
): string {
  if (status === 'DISABLED') return translate('console.explanations.DISABLED');
  if (reason) return reason.message;
  if (!lastFetch || lastFetch.finished_at === null) {
    return translate(`console.explanations.${UNFINISHED.includes(lastFetch?.status) ? 'FETCHING' : 'NOT_FETCHED'}`);
  }
  if (failed > 0) return translate('console.explanations.DOCUMENTS_FAILED', { count: failed });
  const count = lastFetch.documents_new;
  return count > 0
    ? translate('console.explanations.FETCHED', { count })
    : translate('console.explanations.FETCHED_NOTHING');
}
