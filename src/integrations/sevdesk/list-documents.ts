import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { chosenKinds, type Kind } from '../shared/accounting/kinds';
import { dateOf, kindOf, reference } from './documents';
import type { SevdeskSession } from './fields';
import { stablePages } from './stable-pages';
import { type Resource, SevdeskApi, type SevdeskDocument } from './sevdesk-api';

/** The progress in the list of one model. */
type Progress = {
  /** The selection that it belongs to. */
  readonly choice: string;
  /** The start of the last complete listing. */
  readonly at: string;
  /** The start of the last complete listing of all documents; null when there was none. */
  readonly wholeAt: string | null;
};

/** The cursor of a listing. */
export type SevdeskCursor = { readonly [R in Resource]?: Progress };

const DAY_SECONDS = 86_400;
/** The period before the last listing that each listing includes, because documents may be backdated and drafts issued late. */
const OVERLAP_SECONDS = 60 * DAY_SECONDS;
/** The interval between listings of all documents. */
const WHOLE_EVERY_MS = DAY_SECONDS * 1000;
/** sevdesk is a German service: its days are in German time. */
const ZONE = 'Europe/Berlin';

/**
 * The API has no change list: documents can only be listed from a date on, and drafts keep their date when they are issued.
 * Therefore each listing covers the last weeks, once a day everything, and yields the new documents.
 */
export async function* listDocuments(
  session: SevdeskSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<SevdeskCursor>> {
  session.signal.throwIfAborted();
  const api = new SevdeskApi(session);
  const kinds = chosenKinds(session.step2);
  const selection = [startdate ?? '', ...kinds].join(' ');
  let cursor = (stored ?? {}) as SevdeskCursor;
  for (const resource of resourcesOf(kinds)) {
    const began = session.now();
    const before = cursor[resource]?.choice === selection ? cursor[resource] : undefined;
    const wholeAt = before?.wholeAt ?? null;
    const isWhole = before === undefined || wholeAt === null || began.getTime() - Date.parse(wholeAt) >= WHOLE_EVERY_MS;
    const from = firstMoment(startdate, isWhole ? null : before);
    const pages = stablePages((offset, limit) => api.page(resource, from, offset, limit));
    let isStable = true;
    for await (const page of pages) {
      session.signal.throwIfAborted();
      isStable = page.isStable;
      const wanted = page.objects.flatMap((document) => {
        const kind = kindOf(document);
        const isWanted = kind !== null && kinds.includes(kind) && isInTime(document, startdate);
        return isWanted ? [reference(document, resource, kind)] : [];
      });
      const documents = await withoutKnown(session, wanted);
      if (documents.length > 0) yield { documents, cursor };
    }
    const at = began.toISOString();
    cursor = { ...cursor, [resource]: { choice: selection, at, wholeAt: !isWhole ? wholeAt : isStable ? at : null } };
    yield { documents: [], cursor };
  }
}

/** The models of the selected kinds. Cancellations are among the invoices. */
const resourcesOf = (kinds: readonly Kind[]): readonly Resource[] =>
  kinds.includes('credit_note') ? ['Invoice', 'CreditNote'] : ['Invoice'];

/** The start of the listing in seconds; undefined for all documents. */
function firstMoment(startdate: string | null, before: Progress | null): number | undefined {
  const moments = [
    ...(startdate === null ? [] : [startOfDay(startdate, ZONE).getTime() / 1000]),
    ...(before === null ? [] : [Math.floor(Date.parse(before.at) / 1000)]),
  ];
  return moments.length === 0 ? undefined : Math.max(0, Math.max(...moments) - OVERLAP_SECONDS);
}

/** Whether a document is dated on or after the start date, or was created since then with an earlier date. */
function isInTime(document: SevdeskDocument, startdate: string | null): boolean {
  if (startdate === null) return true;
  const date = dateOf(document);
  return (
    date === undefined ||
    date >= startdate ||
    Date.parse(document.create ?? '') >= startOfDay(startdate, ZONE).getTime()
  );
}

async function withoutKnown(session: SevdeskSession, documents: readonly DocumentRef[]): Promise<DocumentRef[]> {
  if (documents.length === 0) return [];
  const known = await session.findKnown(documents.map(({ dedupeKey }) => dedupeKey));
  return documents.filter(({ dedupeKey }) => !known.has(dedupeKey));
}
