import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import { chosenKinds, type Kind } from '../shared/accounting/kinds';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { issuedAt, reference } from './documents';
import type { StripeSession } from './fields';
import { ascendingPages } from './ascending-pages';
import { pdfOf, StripeApi, type StripeDocument } from './stripe-api';
import { PendingDrafts } from './pending-drafts';

/** The progress in the list of one kind. */
type Progress = {
  /** The start date that it belongs to. */
  readonly startdate: string | null;
  /** All documents created before this time (seconds) are listed or pending. */
  readonly until: number;
  /** The drafts, which have no PDF yet, with their creation times. */
  readonly waiting: { readonly [id: string]: number };
};

/** The cursor of a listing. */
export type StripeCursor = { readonly [K in Kind]?: Progress };

const DAY_SECONDS = 86_400;
/** The overlap of a listing with the previous one, because recently created documents may be missing in a list. */
const OVERLAP_SECONDS = DAY_SECONDS;
/** The maximum age at the start date of the drafts of later invoices. */
const DRAFTED_BEFORE_SECONDS = 30 * DAY_SECONDS;

/**
 * Lists are filtered by the creation time, which for an invoice is that of the draft. A draft is yielded after it has been
 * finalized, however long that takes; until then its id is kept in the cursor.
 */
export async function* listDocuments(
  session: StripeSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<StripeCursor>> {
  session.signal.throwIfAborted();
  let cursor = (stored ?? {}) as StripeCursor;
  for (const kind of chosenKinds(session.step2)) {
    for await (const { documents, progress } of listKind(session, kind, cursor[kind], startdate)) {
      session.signal.throwIfAborted();
      cursor = { ...cursor, [kind]: progress };
      yield { documents, cursor };
    }
  }
}

async function* listKind(
  session: StripeSession,
  kind: Kind,
  stored: Progress | undefined,
  startdate: string | null,
): AsyncGenerator<{ documents: readonly DocumentRef[]; progress: Progress }> {
  const api = new StripeApi(session);
  const zone = session.fields.time_zone;
  const start = startdate === null ? undefined : startOfDay(startdate, zone).getTime() / 1000;
  const before = stored?.startdate === startdate ? stored : undefined;
  const first = start === undefined ? undefined : Math.max(0, start - DRAFTED_BEFORE_SECONDS);
  const from = before ? Math.max(first ?? 0, before.until - OVERLAP_SECONDS) : first;
  const pending = new PendingDrafts(before?.waiting);
  let until = before?.until ?? from ?? 0;

  const step = async (found: readonly StripeDocument[]) => {
    const issued = found.filter((document) => pdfOf(document) !== null && issuedAt(document) >= (start ?? 0));
    const references = issued.map((document) => reference(document, kind, zone));
    const known = await session.findKnown(references.map(({ dedupeKey }) => dedupeKey));
    const documents = references.filter(({ dedupeKey }) => !known.has(dedupeKey));
    return { documents, progress: { startdate, until: pending.bound(until), waiting: pending.kept } };
  };

  // Drafts created before the first listing's start may be finalized after it.
  if (!before && first !== undefined && kind === 'invoice') {
    for await (const drafts of allDrafts(api)) for (const draft of drafts) pending.update(draft);
  } else if (before && pending.size > 0) {
    const issued = await finalizedDrafts(api, kind, pending);
    if (issued.length > 0) yield await step(issued);
  }
  for await (const window of ascendingPages((parameters) => api.list(kind, parameters), from)) {
    for (const document of window.documents) pending.update(document);
    if (window.until !== null) until = Math.max(until, window.until);
    const next = await step(window.documents);
    if (next.documents.length > 0) yield next; // avoids a commit for each empty period
  }
  yield await step([]);
}

async function* allDrafts(api: StripeApi): AsyncGenerator<readonly StripeDocument[]> {
  for (let after: string | undefined; ;) {
    const { data, has_more } = await api.list('invoice', { status: 'draft', after });
    yield data;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return;
  }
}

/** The drafts that have been finalized. One list contains the remaining drafts; the others are requested singly. */
async function finalizedDrafts(api: StripeApi, kind: Kind, pending: PendingDrafts): Promise<StripeDocument[]> {
  const drafts = new Set<string>();
  if (kind === 'invoice') for await (const page of allDrafts(api)) for (const { id } of page) drafts.add(id);
  const issued: StripeDocument[] = [];
  for (const id of Object.keys(pending.kept)) {
    if (drafts.has(id)) continue;
    const document = await api.documentOrNull(kind, id);
    if (document === null) pending.forget(id);
    else if (!pending.update(document)) issued.push(document);
  }
  return issued;
}
