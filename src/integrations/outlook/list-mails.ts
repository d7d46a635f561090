import { addFiltered, NOTHING_FILTERED } from '../core/filter-reason';
import type { DocumentRef, Json, SourcePage } from '../core/source-document';
import { SelectionNotFound, CursorInvalid, PermissionMissing } from '../core/source-errors';
import { mailSource } from '../shared/mail/text/mail-metadata';
import type { Extracted } from '../shared/mail/container-attachments';
import { mailFilters, passes } from '../shared/mail/parts/kinds/mail-filters';
import { filterKnown, type Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { digest } from '../shared/tree-sync/selection/file-selection';
import { chosenFolders, type OutlookFolderRef, type OutlookSession, valueOf } from './fields';
import type { OutlookFolders } from './folders';
import type { MailApi, Message } from './mail-api';
import { documentsOf, headersOf, textOf } from './mail-documents';

/** The cursor of a listing. */
export type OutlookCursor = {
  /** The digest of the filters and start date that it belongs to. */
  readonly selection: string;
  /** The link to continue each folder's change list, by the folder's value. */
  readonly links: { readonly [folder: string]: string };
};

export interface OutlookMailbox {
  readonly api: MailApi;
  readonly folders: OutlookFolders;
  /** Extracts archives and signed mails; with `texts` the text of a signed mail without attachments is a document, too. */
  extract(documents: readonly DocumentRef[], texts: boolean): Promise<Extracted>;
}

/**
 * Lists the documents of all mails in the selected folders, one folder after the other, then those of new mails. When Graph no
 * longer knows a position, the folder is listed again; the dedupe keys absorb repeats.
 * Throws `SelectionNotFound` or `PermissionMissing` for a folder that cannot be read, after all others are processed.
 */
export async function* listMails(
  session: OutlookSession,
  mailbox: OutlookMailbox,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<OutlookCursor>> {
  session.signal.throwIfAborted();
  const { step2, fields } = session;
  const since = startdate === null ? null : startOfDay(startdate, fields.time_zone);
  const filters = mailFilters(step2);
  const selection = digest([filters, since?.toISOString() ?? null]);
  const before = stored as OutlookCursor | null;
  const places = chosenFolders(step2);
  const kept = before?.selection === selection ? before.links : {};
  const links = new Map(
    places.flatMap((place): [string, string][] => {
      const link = Object.hasOwn(kept, valueOf(place)) ? kept[valueOf(place)] : undefined;
      return link === undefined ? [] : [[valueOf(place), link]];
    }),
  );
  const cursor = (): OutlookCursor => ({ selection, links: Object.fromEntries(links) });

  let others = NOTHING_FILTERED;
  async function* shown(place: OutlookFolderRef, mails: readonly Message[]): AsyncGenerator<readonly Verdict[]> {
    for (const mail of mails) {
      session.signal.throwIfAborted();
      const mayBeDocument = mail.hasAttachments === true || filters.takesTexts;
      if (mail['@removed'] || !mayBeDocument) continue;
      const received = mail.receivedDateTime ?? undefined;
      const headers = headersOf(mail);
      // A mail without a date is included: an extra document is better than a missing one.
      const isOld = since && received !== undefined && Date.parse(received) < since.getTime();
      // The attachments of an excluded mail are not requested: it counts as one document.
      if (isOld) yield ['BEFORE_STARTDATE'];
      else if (!passes(filters, headers)) yield ['PATTERN'];
      else {
        const path = (await mailbox.folders.pathOf(place)) ?? place.id;
        const attachments = mail.hasAttachments === true ? await attachmentsOf(mailbox.api, place, mail) : [];
        const source = mailSource(headers, path, received);
        const at = { mailbox: place.mailbox, message: mail.id };
        const found = documentsOf(headers, source, attachments, at, filters.attachments);
        const { documents, filteredBy } = await mailbox.extract(found.documents, filters.takesTexts);
        yield documents.length === 0 && filters.takesTexts ? [textOf(headers, source, at)] : documents;
        others = addFiltered(others, found.filteredBy, filteredBy);
      }
    }
  }

  let failed: Error | undefined;
  for (const place of places) {
    try {
      for await (const { mails, link } of folder(mailbox.api, place, links.get(valueOf(place)))) {
        others = NOTHING_FILTERED;
        const excluded = yield* filterKnown(session, shown(place, mails), (verdict) => verdict, cursor());
        links.set(valueOf(place), link);
        yield { documents: [], filteredBy: addFiltered(excluded, others), cursor: cursor() };
      }
    } catch (error) {
      if (!(error instanceof SelectionNotFound) && !(error instanceof PermissionMissing)) throw error;
      failed ??= error;
    }
  }
  if (failed) throw failed;
}

/** Lists one folder, page by page, each with the link that follows it. */
async function* folder(
  api: MailApi,
  place: OutlookFolderRef,
  before: string | undefined,
): AsyncGenerator<{ mails: readonly Message[]; link: string }> {
  const beginning = api.everything(place);
  let link = before ?? beginning;
  let hasRestarted = before === undefined;
  for (let isLast = false; !isLast;) {
    const page = await api.changes(link).catch((error: unknown) => {
      if (!(error instanceof CursorInvalid) || hasRestarted) throw error;
      return null;
    });
    if (page === null) {
      hasRestarted = true;
      link = beginning;
      continue;
    }
    isLast = page.next === undefined;
    link = page.next ?? page.delta!;
    yield { mails: page.value, link };
  }
}

/** Empty when the mail was deleted in the meantime. */
async function attachmentsOf(api: MailApi, { mailbox }: OutlookFolderRef, { id }: Message) {
  try {
    return await api.attachments(mailbox, id);
  } catch (error) {
    if (error instanceof SelectionNotFound) return [];
    throw error;
  }
}
