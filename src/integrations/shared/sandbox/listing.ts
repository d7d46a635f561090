import { countReasons, type FilterReason } from '../../core/filter-reason';
import type { DocumentRef, SourcePage } from '../../core/source-document';
import { SelectionNotFound, CursorInvalid, Transient } from '../../core/source-errors';
import { STEP2 } from './fields';
import { folderExists, folderOf, isChosen } from './folders';
import { PAUSE_SECONDS, refuseFetch, respond, type SandboxSession, type PortalLogin } from './login';
import { nextFetch, planned, type SandboxCursor, assertNotPaused } from './fetch-plan';
import { initialDate, type Kind, kindOf, fixtureDocument, metadataOf, type PlacedKind } from './fixture-document';
import type { PlacedDocuments } from '../../core/sandbox-portal';

const PAGE = 100;

/** The data from which `download` generates the same document again. */
export type SandboxLocator = {
  readonly index: number;
  readonly date: string;
  readonly rendering: number;
  readonly ordered?: PlacedKind;
  /** The document of the fetch that the scenarios with one broken document affect. */
  readonly isFragile?: boolean;
};

/** The plans of sessions whose cursor was lost, because the engine lists again in the same session without a cursor. */
const plansAfterCursorLoss = new WeakMap<SandboxSession, SandboxCursor>();

/** Lists the portal's documents (`Integration.list`), determined by fields, cursor, day and placed documents. */
export async function* listDocuments(
  visit: PortalLogin,
  cursor: SandboxCursor | null,
  startdate: string | null,
): AsyncGenerator<SourcePage<SandboxCursor>> {
  const { session } = visit;
  const { scenario, fails_from } = session.fields;
  const isResumed = cursor !== null && cursor.listed < planned(cursor);
  let plan = isResumed
    ? cursor
    : ((cursor ? undefined : plansAfterCursorLoss.get(session)) ?? nextFetch(session, cursor));
  const fails = fails_from !== 'later_fetch' || plan.fetch > 1;
  if (fails) refuseFetch(visit, chosen(session).folders);
  if (fails && scenario === 'cursor_lost' && cursor && !isResumed) {
    plansAfterCursorLoss.set(session, { ...plan, showsInitial: true, showsEarlier: true, placed: 0 });
    throw new CursorInvalid('The sandbox does not know the cursor.');
  }
  assertNotPaused(session, plan);
  const exclusion = filter(session, startdate);
  const placed = await session.portal.placedAfter(scenario === 'rerendered' ? 0 : (plan.placed ?? 0));

  const total = planned(plan);
  const isFragile = (position: number) => placed.length === 0 && position === total - 1;
  const halfway =
    fails && total > 0 && ['rate_limited', 'interrupted'].includes(scenario) ? Math.floor(total / 2) : null;
  do {
    await respond(session);
    const until = Math.min(plan.listed + PAGE, halfway !== null && !plan.stopped ? halfway : total);
    const shown = positions(plan.listed, until).flatMap((position) =>
      documentsAt(visit, plan, position, isFragile(position)),
    );
    const stops = halfway !== null && !plan.stopped && until === halfway;
    const pause = stops && scenario === 'rate_limited';
    plan = {
      ...plan,
      listed: until,
      stopped: plan.stopped || stops,
      pausedUntil: pause ? new Date(session.now().getTime() + PAUSE_SECONDS * 1_000).toISOString() : null,
    };
    yield page(shown, exclusion, plan);
    if (pause) assertNotPaused(session, plan);
    if (stops) throw new Transient('The sandbox closed the connection.');
  } while (plan.listed < total);

  for (const batch of placed) {
    await respond(session);
    const shown = placedDocuments(visit, plan, batch, batch === placed.at(-1));
    plan = { ...plan, placed: Math.max(plan.placed ?? 0, batch.number) };
    yield page(shown, exclusion, plan);
  }
}

const page = (shown: DocumentRef[], exclusion: Exclusion, cursor: SandboxCursor): SourcePage<SandboxCursor> => ({
  documents: shown.filter((document) => exclusion(document) === undefined),
  filteredBy: countReasons(shown.map(exclusion).filter((reason) => reason !== undefined)),
  cursor,
});

/** Lists oldest first; index 0 is the newest of the initial documents. */
function documentsAt(visit: PortalLogin, plan: SandboxCursor, position: number, isFragile: boolean): DocumentRef[] {
  const { session } = visit;
  const before = plan.showsInitial ? plan.initial : 0;
  const isInitial = position < before;
  const known = plan.initial + (plan.showsEarlier ? 0 : plan.earlier);
  const index = isInitial ? plan.initial - 1 - position : known + position - before;
  const date = isInitial ? initialDate(index) : session.now().toISOString().slice(0, 10);
  const rendering = isInitial && session.fields.scenario === 'rerendered' ? plan.fetch : 1;
  return references(visit, { index, date, rendering, ...(isFragile && { isFragile }) }, true);
}

function placedDocuments(
  visit: PortalLogin,
  plan: SandboxCursor,
  batch: PlacedDocuments,
  isLast: boolean,
): DocumentRef[] {
  const { documentType, format, first, count, day: date, hasExternalId } = batch;
  const isKnown = batch.number <= (plan.placed ?? 0);
  return positions(first, first + count).flatMap((index) =>
    references(
      visit,
      {
        index,
        date,
        rendering: isKnown ? plan.fetch : 1,
        ordered: { documentType, format },
        ...(isLast && index === first + count - 1 && { isFragile: true }),
      },
      hasExternalId,
    ),
  );
}

function references({ session, user }: PortalLogin, locator: SandboxLocator, hasExternalId: boolean): DocumentRef[] {
  const document = fixtureDocument(user, locator.index, locator.date, locator.ordered);
  const plain = `${document.number}.${document.format === 'XML' ? 'xml' : 'pdf'}`;
  const { scenario } = session.fields;
  const reference: DocumentRef = {
    dedupeKey: document.externalId,
    externalId: hasExternalId ? document.externalId : null,
    filename: scenario === 'odd_filenames' ? `../Größe "№ 1" & Co. – ${'lang '.repeat(40)}€/${plain}` : plain,
    documentType: document.documentType,
    metadata: metadataOf(document),
    locator,
  };
  return scenario === 'duplicates' ? [reference, reference] : [reference];
}

/** The selection of the second step, or its defaults. */
function chosen(session: SandboxSession): { folders: readonly string[]; kinds: readonly string[] } {
  const [folders, kinds] = STEP2.map(({ id, default: all }) => (session.step2[id] ?? all) as readonly string[]);
  return { folders: folders!, kinds: kinds! };
}

/** Why a document is not fetched; undefined for one that is. */
type Exclusion = (document: DocumentRef) => FilterReason | undefined;

/**
 * A filter by the second step and the start date.
 * @throws SelectionNotFound when a chosen folder does not exist.
 */
function filter(session: SandboxSession, startdate: string | null): Exclusion {
  const { folders, kinds } = chosen(session);
  const today = session.now().toISOString().slice(0, 10);
  const missing = folders.find((id) => !folderExists(id, today));
  if (missing !== undefined) throw new SelectionNotFound(`The sandbox has no folder ${missing}.`);
  return ({ metadata, documentType, filename, locator }) => {
    const date = metadata.date ?? '';
    const format = filename.endsWith('.xml') ? 'XML' : 'PDF';
    const kind: Kind | null = kindOf((locator as SandboxLocator).ordered ?? { documentType: documentType!, format });
    if (startdate && date < startdate) return 'BEFORE_STARTDATE';
    if (kind !== null && !kinds.includes(kind)) return 'TYPE';
    return isChosen(folderOf(date), folders) ? undefined : 'FOLDER';
  };
}

const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
