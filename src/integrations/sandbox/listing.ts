import type { DocumentRef, SourcePage } from '../source-document';
import { ConfigurationGone, CursorInvalid, RateLimited, Temporary } from '../source-errors';
import { type SandboxSession, STEP2 } from './fields';
import { folderExists, folderOf, isWithin } from './folders';
import { logIn, PAUSE_SECONDS, refuseFetch, respond } from './login';
import { initialDate, type Kind, madeUpDocument, metadataOf } from './made-up-document';

const PAGE = 100;

/** What one fetch shows and how far it has come. A fetch that stopped halfway goes on; one that is through is followed by the next. */
export type SandboxCursor = {
  /** Counted from 1. */
  readonly fetch: number;
  /** Documents that were there at the beginning, and whether this fetch shows them. */
  readonly initial: number;
  readonly showsInitial: boolean;
  /** Documents that earlier later fetches brought, and how many this one brings. */
  readonly earlier: number;
  readonly fresh: number;
  /** Documents of this fetch that were listed. */
  readonly listed: number;
  /** The stop that the scenario makes once per fetch has been made. */
  readonly stopped: boolean;
  /** Before this moment the portal answers 429. */
  readonly pausedUntil: string | null;
};

/** What `open` needs to make the same document again. */
export type SandboxLocator = { readonly index: number; readonly date: string; readonly rendering: number };

/** The portal's list (`Integration.list`). Everything about it follows from the fields, the cursor and the day. */
export async function* listDocuments(
  session: SandboxSession,
  cursor: SandboxCursor | null,
  startdate: string | null,
): AsyncGenerator<SourcePage<SandboxCursor>> {
  await logIn(session);
  const { scenario, fails_from } = session.fields;
  const goesOn = cursor !== null && cursor.listed < planned(cursor);
  let plan = goesOn ? cursor : nextFetch(session, cursor);
  const fails = fails_from !== 'later_fetch' || plan.fetch > 1;
  if (fails) refuseFetch(session);
  if (fails && scenario === 'cursor_lost' && cursor && !goesOn)
    throw new CursorInvalid('The sandbox does not know the cursor.');
  keepPause(session, plan);
  const wanted = filter(session, startdate);

  const total = planned(plan);
  const halfway =
    fails && total > 0 && ['rate_limited', 'interrupted'].includes(scenario) ? Math.floor(total / 2) : null;
  do {
    await respond(session);
    const until = Math.min(plan.listed + PAGE, halfway !== null && !plan.stopped ? halfway : total);
    const shown = positions(plan.listed, until).flatMap((position) => documentsAt(session, plan, position));
    const documents = shown.filter(wanted);
    const stops = halfway !== null && !plan.stopped && until === halfway;
    const pause = stops && scenario === 'rate_limited';
    plan = {
      ...plan,
      listed: until,
      stopped: plan.stopped || stops,
      pausedUntil: pause ? new Date(session.now().getTime() + PAUSE_SECONDS * 1_000).toISOString() : null,
    };
    yield { documents, filtered: shown.length - documents.length, cursor: plan };
    if (pause) keepPause(session, plan);
    if (stops) throw new Temporary('The sandbox closed the connection.');
  } while (plan.listed < total);
}

function nextFetch({ fields }: SandboxSession, previous: SandboxCursor | null): SandboxCursor {
  const progress = { listed: 0, stopped: false, pausedUntil: null };
  if (!previous) {
    return { fetch: 1, initial: Math.floor(fields.documents), showsInitial: true, earlier: 0, fresh: 0, ...progress };
  }
  return {
    fetch: previous.fetch + 1,
    initial: previous.initial,
    showsInitial: fields.scenario === 'rerendered',
    earlier: previous.earlier + previous.fresh,
    fresh: Math.floor(fields.new_per_fetch),
    ...progress,
  };
}

function planned(plan: SandboxCursor): number {
  return (plan.showsInitial ? plan.initial : 0) + plan.fresh;
}

/** @throws RateLimited while the pause lasts. */
function keepPause(session: SandboxSession, { pausedUntil }: SandboxCursor): void {
  const seconds = pausedUntil ? Math.ceil((Date.parse(pausedUntil) - session.now().getTime()) / 1_000) : 0;
  if (seconds > 0) throw new RateLimited('The sandbox answers 429.', seconds);
}

/** Oldest first: of the initial documents, index 0 is the newest. */
function documentsAt(session: SandboxSession, plan: SandboxCursor, position: number): DocumentRef[] {
  const before = plan.showsInitial ? plan.initial : 0;
  const isInitial = position < before;
  const index = isInitial ? plan.initial - 1 - position : plan.initial + plan.earlier + position - before;
  const date = isInitial ? initialDate(index) : session.now().toISOString().slice(0, 10);
  const { scenario } = session.fields;
  const document = reference(session, {
    index,
    date,
    rendering: isInitial && scenario === 'rerendered' ? plan.fetch : 1,
  });
  return scenario === 'duplicates' ? [document, document] : [document];
}

function reference({ fields }: SandboxSession, locator: SandboxLocator): DocumentRef {
  const document = madeUpDocument(fields.user, locator.index, locator.date);
  const extension = document.kind === 'e_invoice' ? 'xml' : 'pdf';
  const plain = `${document.number}.${extension}`;
  return {
    dedupeKey: document.externalId,
    externalId: document.externalId,
    filename: fields.scenario === 'odd_filenames' ? `../Größe "№ 1" & Co. – ${'lang '.repeat(40)}€/${plain}` : plain,
    documentType: document.kind === 'credit_note' ? 'credit_note' : 'invoice',
    metadata: metadataOf(document),
    locator,
  };
}

/**
 * What the second step and the start date leave.
 * @throws ConfigurationGone when a chosen folder does not exist.
 */
function filter(session: SandboxSession, startdate: string | null): (document: DocumentRef) => boolean {
  const [folders, kinds] = STEP2.map(({ id, default: all }) => (session.step2[id] ?? all) as readonly string[]);
  const today = session.now().toISOString().slice(0, 10);
  const missing = folders!.find((id) => !folderExists(id, today));
  if (missing !== undefined) throw new ConfigurationGone(`The sandbox has no folder ${missing}.`);
  return ({ metadata, documentType, filename }) => {
    const date = metadata.date ?? '';
    const kind: Kind =
      documentType === 'credit_note' ? 'credit_note' : filename.endsWith('.xml') ? 'e_invoice' : 'invoice';
    return (!startdate || date >= startdate) && kinds!.includes(kind) && isWithin(folderOf(date), folders!);
  };
}

function positions(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
