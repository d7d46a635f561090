import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { chosenKinds, type Kind } from '../shared/accounting/kinds';
import { dateOf, kindOf, reference } from './documents';
import type { SevdeskSession } from './fields';
import { stablePages } from './stable-pages';
import { type Resource, SevdeskApi, type SevdeskDocument } from './sevdesk-api';

/** How far one model's list has been read. */
type Progress = {
  /** For which choice it holds. */
  readonly choice: string;
  /** When the latest listing began that was read to its end. */
  readonly at: string;
  /** When the latest one began that looked at all documents; null when none has. */
  readonly wholeAt: string | null;
};

/** Where the next listing goes on. */
export type SevdeskCursor = { readonly [R in Resource]?: Progress };

const DAY_SECONDS = 86_400;
/** Documents are dated back, and drafts issued late: so far before the latest listing every listing looks. */
const OVERLAP_SECONDS = 60 * DAY_SECONDS;
/** And so often at everything. */
const WHOLE_EVERY_MS = DAY_SECONDS * 1000;
/** sevdesk is German; its days are. */
const ZONE = 'Europe/Berlin';

/**
 * The API tells nothing of what has changed: lists can be had from a document's own date on only, and drafts keep theirs when
 * they are issued. So each listing looks some weeks back, once a day at everything, and shows what is not known.
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
    const reading = stablePages((offset, limit) => api.page(resource, from, offset, limit));
    let isSteady = true;
    for await (const page of reading) {
      session.signal.throwIfAborted();
      isSteady = page.isStable;
      const wanted = page.objects.flatMap((document) => {
        const kind = kindOf(document);
        const isWanted = kind !== null && kinds.includes(kind) && isInTime(document, startdate);
        return isWanted ? [reference(document, resource, kind)] : [];
      });
      const documents = await withoutKnown(session, wanted);
      if (documents.length > 0) yield { documents, cursor };
    }
    const at = began.toISOString();
    cursor = { ...cursor, [resource]: { choice: selection, at, wholeAt: !isWhole ? wholeAt : isSteady ? at : null } };
    yield { documents: [], cursor };
  }
}

/** Cancellations are among the invoices. */
const resourcesOf = (kinds: readonly Kind[]): readonly Resource[] =>
  kinds.includes('credit_note') ? ['Invoice', 'CreditNote'] : ['Invoice'];

/** In seconds; undefined: from the beginning. */
function firstMoment(startdate: string | null, before: Progress | null): number | undefined {
  const moments = [
    ...(startdate === null ? [] : [startOfDay(startdate, ZONE).getTime() / 1000]),
    ...(before === null ? [] : [Math.floor(Date.parse(before.at) / 1000)]),
  ];
  return moments.length === 0 ? undefined : Math.max(0, Math.max(...moments) - OVERLAP_SECONDS);
}

/** Dated on the start date or later, or written since then with a date from before. */
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
