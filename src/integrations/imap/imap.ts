import { documentPasswords } from '../core/document-passwords';
import { WeightedSemaphore } from '../../platform/concurrency/weighted-semaphore';
import type { FieldValues } from '../core/field';
import { addFiltered, NOTHING_FILTERED } from '../core/filter-reason';
import { defineIntegration, type Session } from '../core/integration';
import { startOfDay } from '../shared/tree-sync/selection/start-of-day';
import { dropRedundantTexts } from '../shared/mail/text/mail-text';
import { isText, openText } from '../shared/mail/text/open-text';
import { withRenditions } from '../shared/mail/parts/renditions';
import { isUuencoded } from '../shared/mail/containers/uu-decoder';
import type { Json, SourceDocument } from '../core/source-document';
import { isContained } from '../shared/mail/contained-locator';
import { ContainerAttachments } from '../shared/mail/container-attachments';
import { attachmentChoice } from '../shared/mail/parts/kinds/attachment-choice';
import type { Attachments } from '../shared/mail/parts/attachments';
import { connect, type Login, noAccess } from './connection/connect';
import { withCoveredFolders } from './mailbox/covered-folders';
import { type ImapSelection, selectionOf, STEP1, step2Fields } from './mailbox/fields';
import { findFolders, listFolders } from './mailbox/folders';
import { MailboxPool } from './mailbox/mailbox-pool';
import { NoMailbox, readNamespace } from './connection/short-login';
import { openPart } from './messages/parts/open-part';
import { PartBatches } from './messages/parts/part-batches';
import { mailRefOf, parsePartRef, type ImapPartRef } from './messages/parts/part-ref';
import { accountId, mailServer, mailServerAt, typedMailServer } from './connection/mail-server';
import { type ImapCursor, scan } from './messages/scan/scan';

/** The memory limit of all open documents. */
const MEMORY_BYTES = 16 * 1024 * 1024;

/** Without a password the user has authorized the service. */
type ImapFields = Omit<FieldValues<typeof STEP1>, 'password'> & { readonly password?: string };
type ImapSession = Session<ImapFields>;

/**
 * Any mailbox by IMAP (RFC 9051, RFC 3501): documents are the attachments of the mails in the selected folders, the files in
 * attached zip archives and signed mails, and optionally the texts of mails without attachments.
 */
export const imap = defineIntegration({
  id: 'imap',
  name: { en: 'E-mail (IMAP)', de: 'E-Mail (IMAP)' },
  category: 'MAILBOX',
  maturity: 'STABLE',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note', 'document'],
  providesExternalId: false,
  step1: STEP1,
  typedServer: { proof: 'CERTIFICATE', address: typedMailServer },
  worksWithoutStep2: true,
  // Documents opened together share a round trip and at most three connections, so that a high concurrency needs few requests. It is high enough that
  // the next documents are transferred while the previous ones are stored, and that a distant server rarely waits for the next request; their total
  // size is bounded, not their number.
  // Only new connections count as requests: a fetch opens one to three.
  rateLimits: { concurrency: 64, requestsPerSecond: 10, requestsPerSecondPerHost: 50 },

  async check(session: ImapSession) {
    const { pool } = await mailbox(session);
    const { user, password } = session.fields;
    await pool.use(readNamespace).catch((error: unknown) => {
      // Exchange accepts the access token of any user, and then denies a mailbox that is not shared with this user.
      throw password === undefined && error instanceof NoMailbox ? noAccess(error) : error;
    });
    return { id: accountId(user, mailServer(session.fields).host), display: user };
  },

  async step2(session: ImapSession) {
    const { pool } = await mailbox(session);
    return step2Fields(await pool.use((client) => listFolders(client)));
  },

  async options(session: ImapSession, fieldId: string, parentId?: string) {
    if (fieldId !== 'folders') return [];
    const { pool } = await mailbox(session);
    return pool.use((client) => listFolders(client, parentId));
  },

  async resolve(session: ImapSession, fieldId: string, values: readonly string[]) {
    if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
    const { pool } = await mailbox(session);
    return pool.use((client) => findFolders(client, values));
  },

  async *list(session: ImapSession, cursor: Json, startdate: string | null) {
    const { pool, containers } = await mailbox(session);
    const since = startdate === null ? null : startOfDay(startdate, session.fields.time_zone ?? 'UTC');
    const selection = await coveredSelection(pool, session.step2);
    for await (const page of scan(pool, selection, cursor as ImapCursor | null, since)) {
      const extracted = await containers.extract(page.documents, selection.takesTexts);
      const filteredBy = addFiltered(page.filteredBy ?? NOTHING_FILTERED, extracted.filteredBy);
      const documents = dropRedundantTexts(extracted.documents, mailRefOf, (ref) => isText(parsePartRef(ref.locator)));
      yield { ...page, documents: withRenditions(documents, mailRefOf), filteredBy };
    }
  },

  async download(session: ImapSession, ref) {
    const { downloadPart, containers } = await mailbox(session);
    const locator = parsePartRef(ref.locator);
    if (isText(locator)) return openText((part) => downloadPart(part, ''), ref, locator);
    return isContained(locator) ? containers.openFile(ref, locator) : downloadPart(locator, ref.filename);
  },
});

/** The stored selection with the folders that it covers now. Needs no connection when it names all of them. */
async function coveredSelection(pool: MailboxPool, step2: ImapSession['step2']): Promise<ImapSelection> {
  const selection = selectionOf(step2);
  return selection.coverage === 'SELECTED' ? selection : pool.use((client) => withCoveredFolders(client, selection));
}

interface ImapMailbox {
  readonly pool: MailboxPool;
  readonly containers: ContainerAttachments<ImapPartRef>;
  readonly downloadPart: (locator: ImapPartRef, filename: string) => Promise<SourceDocument>;
}

/** With OAuth, the deployment may have configured another server (decisions 8); passwords are sent to the named one only. */
function loginOf(session: ImapSession): Login {
  const { fields, apiBaseUrl } = session;
  const { user, password } = fields;
  if (password !== undefined) return { server: mailServer(fields), user, secret: { password } };
  const accessToken: Session['accessToken'] = (refused) => session.accessToken(refused);
  return { server: apiBaseUrl ? mailServerAt(apiBaseUrl) : mailServer(fields), user, secret: { accessToken } };
}

/** The session's connections, opened when needed. */
function mailbox(session: ImapSession): Promise<ImapMailbox> {
  return session.shared(
    'imap',
    async () => {
      const login = loginOf(session);
      const pool = new MailboxPool(
        () => connect(login, session.network, session.trust, session.signal),
        session.signal,
      );
      const readers = { pool, batches: new PartBatches(pool), memory: new WeightedSemaphore(MEMORY_BYTES) };
      const downloadPart: ImapMailbox['downloadPart'] = (locator, filename) => openPart(readers, locator, filename);
      const attachments: Attachments<ImapPartRef> = {
        locatorOf: parsePartRef,
        keyOf: ({ folder, uidValidity, uid, section }) => JSON.stringify([folder, uidValidity, uid, section]),
        // Decoding restores lost spaces, so that the content may become larger than `size`.
        sizeOf: ({ size, encoding }) => (isUuencoded(encoding) ? 0 : size),
        open: (locator) => downloadPart(locator, ''),
      };
      const containers = new ContainerAttachments(
        attachments,
        attachmentChoice(session.step2),
        documentPasswords(session.fields),
      );
      return { pool, downloadPart, containers };
    },
    ({ pool }) => pool.close(),
  );
}
