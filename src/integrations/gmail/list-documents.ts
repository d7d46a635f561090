import { addFiltered } from '../core/filter-reason';
import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound, DocumentUnavailable } from '../core/source-errors';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { ALL_MAIL, type GmailSelection, selectionOf, type GmailSession } from './fields';
import type { GmailApi, History, Message } from './gmail-api';
import { type ReadMail, readMail } from './mail-documents';

/** The cursor of a listing. */
export type GmailCursor = {
  /** The history id up to which the changes of the labels in `listed` are processed. */
  readonly historyId: string;
  /** Labels that have been listed completely. */
  readonly listed: readonly string[];
  /** The label that is being listed, with its next page. */
  readonly listing: { readonly label: string; readonly pageToken: string } | null;
};

/** Mails that are requested concurrently. */
const CONCURRENT_MAILS = 10;
/** Mails per page of changes. */
const PAGE = 100;
/** Mails with these labels are never fetched. */
const EXCLUDED_LABELS = ['SPAM', 'TRASH', 'DRAFT'];

/**
 * Lists all mails with the selected labels, then the changes. The history id is read before the labels are listed, so that no
 * change is missed. A mail is new for a label when it arrives, when it gets the label, and when it is moved out of spam or trash.
 * Throws `SelectionNotFound` when a selected label does not exist, after all others are processed, and `CursorInvalid`.
 */
export async function* listDocuments(
  session: GmailSession,
  api: GmailApi,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<GmailCursor>> {
  session.signal.throwIfAborted();
  const selection = selectionOf(session.step2);
  const names = new Map((await api.labels()).map(({ id, name }) => [id, name]));
  const labels = selection.labels.filter((id) => id === ALL_MAIL || names.has(id));
  const since = startdate === null ? null : startOfDay(startdate, session.fields.time_zone);
  const before = stored as GmailCursor | null;
  const listed = new Set(labels.filter((label) => before?.listed.includes(label)));
  let historyId = before?.historyId ?? (await api.profile()).historyId;
  const at = (listing: GmailCursor['listing']): GmailCursor => ({ historyId, listed: [...listed], listing });

  for (const label of labels.filter((id) => !listed.has(id))) {
    let pageToken = before?.listing?.label === label ? before.listing.pageToken : undefined;
    do {
      session.signal.throwIfAborted();
      const { ids, nextPageToken } = await api.messages(label === ALL_MAIL ? undefined : label, since, pageToken);
      const documents = documentsIn(await mails(api, ids), () => names.get(label), selection, since);
      pageToken = nextPageToken;
      if (pageToken === undefined) listed.add(label);
      yield { ...documents, cursor: at(pageToken === undefined ? null : { label, pageToken }) };
    } while (pageToken !== undefined);
  }

  const isChosen = ({ labelIds = [] }: Message): boolean =>
    labels.includes(ALL_MAIL) || labels.some((id) => labelIds.includes(id));
  const pathOf = ({ labelIds = [] }: Message) => names.get(labels.find((id) => labelIds.includes(id)) ?? ALL_MAIL);
  const start = historyId;
  for (let pageToken: string | undefined, isLast = false; !isLast;) {
    session.signal.throwIfAborted();
    const { history = [], nextPageToken, historyId: end } = await api.history(start, pageToken);
    const ids = [...new Set(history.flatMap((change) => touched(change, labels)))];
    for (let from = 0; from < ids.length; from += PAGE) {
      session.signal.throwIfAborted();
      const found = (await mails(api, ids.slice(from, from + PAGE))).filter(isChosen);
      yield { ...documentsIn(found, pathOf, selection, since), cursor: at(null) };
    }
    pageToken = nextPageToken;
    isLast = pageToken === undefined;
    historyId = isLast ? end : (history.at(-1)?.id ?? historyId);
    yield { documents: [], cursor: at(null) };
  }
  if (labels.length < selection.labels.length) throw new SelectionNotFound('A selected label does not exist.');
}

/** The mails that may be new after a change. */
function touched({ messagesAdded = [], labelsAdded = [], labelsRemoved = [] }: History, labels: readonly string[]) {
  const added = labelsAdded.filter(({ labelIds = [] }) => labelIds.some((id) => labels.includes(id)));
  const restored = labelsRemoved.filter(({ labelIds = [] }) => labelIds.some((id) => EXCLUDED_LABELS.includes(id)));
  return [...messagesAdded, ...added, ...restored].map(({ message }) => message.id);
}

/** The mails that still exist and are neither spam nor trash. */
async function mails(api: GmailApi, ids: readonly string[]): Promise<Message[]> {
  const found: (Message | null)[] = [];
  for (let from = 0; from < ids.length; from += CONCURRENT_MAILS) {
    found.push(...(await Promise.all(ids.slice(from, from + CONCURRENT_MAILS).map((id) => messageOrNull(api, id)))));
  }
  return found
    .filter((mail) => mail !== null)
    .filter(({ labelIds = [] }) => !labelIds.some((id) => EXCLUDED_LABELS.includes(id)));
}

async function messageOrNull(api: GmailApi, id: string): Promise<Message | null> {
  try {
    return await api.message(id);
  } catch (error) {
    if (error instanceof DocumentUnavailable) return null; // deleted since it was listed
    throw error;
  }
}

function documentsIn(
  found: readonly Message[],
  pathOf: (mail: Message) => string | undefined,
  selection: GmailSelection,
  since: Date | null,
): ReadMail {
  const read = found.map((mail) => readMail(mail, pathOf(mail), selection, since));
  return {
    documents: read.flatMap(({ documents }) => documents),
    filteredBy: addFiltered(...read.map(({ filteredBy }) => filteredBy)),
  };
}
