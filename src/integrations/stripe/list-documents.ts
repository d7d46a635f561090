import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import { chosenKinds, type Kind } from '../shared/accounting/kinds';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { issuedAt, reference } from './documents';
import type { StripeSession } from './fields';
import { ascendingPages } from './ascending-pages';
import { pdfOf, StripeApi, type StripeDocument } from './stripe-api';
import { PendingDrafts } from './pending-drafts';

/** How far one kind's list has been read. */
type Progress = {
  /** For which start date it holds. */
  readonly startdate: string | null;
  /** Everything that was made before this moment (seconds) has been shown, or waits. */
  readonly until: number;
  /** Documents that had no PDF yet: drafts, and when they were made. */
  readonly waiting: { readonly [id: string]: number };
};

/** Where the next listing goes on. */
export type StripeCursor = { readonly [K in Kind]?: Progress };

const DAY_SECONDS = 86_400;
/** What was made so shortly before may not have been in the list yet. */
const OVERLAP_SECONDS = DAY_SECONDS;
/** So long before the start date an invoice may have been drafted that was issued after it. */
const DRAFTED_BEFORE_SECONDS = 30 * DAY_SECONDS;

/**
 * Lists can be had by the moment when something was made, which for an invoice is the draft's. A draft is shown once it has
 * become an invoice, however long that takes: until then its id is kept in the cursor.
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

  // Drafts from before the first listing's beginning may still become invoices of after it.
  if (!before && first !== undefined && kind === 'invoice') {
    for await (const drafts of allDrafts(api)) for (const draft of drafts) pending.update(draft);
  } else if (before && pending.size > 0) {
    const issued = await finalizedDrafts(api, kind, pending);
    if (issued.length > 0) yield await step(issued);
  }
  for await (const window of ascendingPages((asked) => api.list(kind, asked), from)) {
    for (const document of window.documents) pending.update(document);
    if (window.until !== null) until = Math.max(until, window.until);
    const next = await step(window.documents);
    if (next.documents.length > 0) yield next; // a commit for each empty year would be for nothing
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

/** What has its PDF by now. What is still a draft is told by one list, what is not is looked at by itself. */
async function finalizedDrafts(api: StripeApi, kind: Kind, pending: PendingDrafts): Promise<StripeDocument[]> {
  const drafts = new Set<string>();
  if (kind === 'invoice') for await (const page of allDrafts(api)) for (const { id } of page) drafts.add(id);
  const issued: StripeDocument[] = [];
  for (const id of Object.keys(pending.kept)) {
    if (drafts.has(id)) continue;
    const document = await api.ifThere(kind, id);
    if (document === null) pending.forget(id);
    else if (!pending.update(document)) issued.push(document);
  }
  return issued;
}
