import { documentPasswords } from '../core/document-passwords';
import type { Json, SourcePage } from '../core/source-document';
import type { FieldValues } from '../core/field';
import { addFiltered, NOTHING_FILTERED } from '../core/filter-reason';
import { defineIntegration, type Session } from '../core/integration';
import { ContainerAttachments } from '../shared/mail/container-attachments';
import { isContained } from '../shared/mail/contained-locator';
import { isUuencoded } from '../shared/mail/containers/uu-decoder';
import type { Attachments } from '../shared/mail/parts/attachments';
import { mailFilters } from '../shared/mail/parts/kinds/mail-filters';
import { withRenditions } from '../shared/mail/parts/renditions';
import { dropRedundantTexts } from '../shared/mail/text/mail-text';
import { isText, openText } from '../shared/mail/text/open-text';
import { STEP1 } from './fields';
import { readMail, type ReadMail } from './mail-documents';
import { openPart } from './open-part';
import { type InboxPartRef, mailRefOf, parsePartRef } from './part-ref';
import { readStructure } from './read-structure';

type InboxSession = Session<FieldValues<typeof STEP1>>;
type InboxCursor = {
  /** The number of the last mail that was listed. */
  readonly number: number;
};

/** Mails per page. */
const PAGE = 20;

/**
 * An address of the connection's own, for which the service receives mails: documents are their attachments, the files in attached
 * zip archives and signed mails, and optionally the texts of mails without attachments.
 */
export const mailInbox = defineIntegration({
  id: 'mail_inbox',
  name: { en: 'E-mail address for documents', de: 'E-Mail-Adresse für Belege' },
  category: 'MAILBOX',
  maturity: 'STABLE',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note', 'document'],
  providesExternalId: false,
  supportsStartdate: false,
  receivesMail: true,
  aliases: ['inbox', 'forward', 'weiterleiten', 'weiterleitung', 'postfach', 'smtp'],
  step1: STEP1,
  rateLimits: { concurrency: 8, requestsPerSecond: 1_000 },

  /** The service itself is the provider; the address is stored with the connection. */
  check({ signal }: InboxSession) {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return Promise.resolve({ id: 'mail_inbox', display: 'mail_inbox' });
  },

  async *list(session: InboxSession, cursor: Json) {
    const { containers } = await inboxOf(session);
    const filters = mailFilters(session.fields);
    let { number } = (cursor as InboxCursor | null) ?? { number: 0 };
    if (number > 0) await session.inbox.markProcessed(number);
    for (;;) {
      session.signal.throwIfAborted();
      const page = await readPage(session, number, filters);
      if (!page) return;
      number = page.cursor.number;
      const extracted = await containers.extract(page.documents, filters.takesTexts);
      const filteredBy = addFiltered(page.filteredBy ?? NOTHING_FILTERED, extracted.filteredBy);
      const documents = dropRedundantTexts(extracted.documents, mailRefOf, (ref) => isText(parsePartRef(ref.locator)));
      yield { ...page, documents: withRenditions(documents, mailRefOf), filteredBy };
    }
  },

  async download(session: InboxSession, ref) {
    const { containers } = await inboxOf(session);
    const locator = parsePartRef(ref.locator);
    if (isText(locator)) return openText((part) => openPart(session.inbox, part, ''), ref, locator);
    return isContained(locator) ? containers.openFile(ref, locator) : openPart(session.inbox, locator, ref.filename);
  },
});

/** The mails after `number`; null when there are none. */
async function readPage(
  { inbox, signal }: InboxSession,
  number: number,
  filters: ReturnType<typeof mailFilters>,
): Promise<SourcePage<InboxCursor> | null> {
  const mails = await inbox.mailsAfter(number, PAGE);
  if (mails.length === 0) return null;
  const read: ReadMail[] = [];
  for (const mail of mails) {
    signal.throwIfAborted();
    const message = await inbox.read(mail.number);
    if (message) read.push(readMail(mail, await readStructure(message), filters));
  }
  return {
    documents: read.flatMap(({ documents }) => documents),
    filteredBy: addFiltered(...read.map((each) => each.filteredBy)),
    cursor: { number: mails.at(-1)!.number },
  };
}

/** The shared resources of a session: a container is read once for all its documents. */
function inboxOf(session: InboxSession): Promise<{ containers: ContainerAttachments<InboxPartRef> }> {
  return session.shared(
    'inbox',
    () => {
      const attachments: Attachments<InboxPartRef> = {
        locatorOf: parsePartRef,
        keyOf: ({ mail, ref }) => `${mail} ${ref}`,
        // Decoding restores lost spaces, so that the content may become larger than `size`.
        sizeOf: ({ size, encoding }) => (isUuencoded(encoding) ? 0 : size),
        open: (locator) => openPart(session.inbox, locator, ''),
      };
      const containers = new ContainerAttachments(
        attachments,
        mailFilters(session.fields).attachments,
        documentPasswords(session.fields),
      );
      return Promise.resolve({ containers });
    },
    () => undefined,
  );
}
