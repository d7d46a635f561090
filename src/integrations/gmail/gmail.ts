import { documentPasswords } from '../core/document-passwords';
import { defineIntegration } from '../core/integration';
import { addFiltered, NOTHING_FILTERED } from '../core/filter-reason';
import type { Json } from '../core/source-document';
import { googleOAuth } from '../shared/google/google-oauth';
import { dropRedundantTexts } from '../shared/mail/text/mail-text';
import { decodeUtf8OrDeclared, isText, openText } from '../shared/mail/text/open-text';
import { withRenditions } from '../shared/mail/parts/renditions';
import { isContained } from '../shared/mail/contained-locator';
import { ContainerAttachments } from '../shared/mail/container-attachments';
import { attachmentChoice } from '../shared/mail/parts/kinds/attachment-choice';
import type { Attachments } from '../shared/mail/parts/attachments';
import { selectionOf, type GmailSession, STEP1, step2Fields } from './fields';
import { GmailApi } from './gmail-api';
import { findLabels, labelOptions } from './labels';
import { listDocuments } from './list-documents';
import { openPart } from './open-part';
import { mailRefOf, parsePartRef, type GmailPartRef } from './part-ref';

/**
 * Gmail (API v1): documents are the attachments of mails with the selected labels, the files in attached zip archives and signed
 * mails, and optionally the texts of mails without attachments.
 */
export const gmail = defineIntegration({
  id: 'gmail',
  name: { en: 'Gmail', de: 'Gmail' },
  category: 'MAILBOX',
  authType: 'OAUTH2',
  documentTypes: ['invoice', 'credit_note', 'document'],
  providesExternalId: false,
  step1: STEP1,
  worksWithoutStep2: true,
  // A user has 15,000 quota units per minute over all apps; the most frequent calls cost 5. This rate uses half of them.
  rateLimits: { concurrency: 8, requestsPerSecond: 25 },
  apiBaseUrl: 'https://gmail.googleapis.com',
  oauth: googleOAuth('https://www.googleapis.com/auth/gmail.readonly'),

  async check(session: GmailSession) {
    const { emailAddress } = await new GmailApi(session).profile();
    return { id: emailAddress.toLowerCase(), display: emailAddress };
  },

  async step2(session: GmailSession) {
    return step2Fields(labelOptions(await new GmailApi(session).labels()));
  },

  async options(session: GmailSession, fieldId: string, parentId?: string) {
    return fieldId === 'labels' ? labelOptions(await new GmailApi(session).labels(), parentId) : [];
  },

  async resolve(session: GmailSession, fieldId: string, values: readonly string[]) {
    if (fieldId !== 'labels') return values.map((value) => ({ value, label: value }));
    return findLabels(await new GmailApi(session).labels(), values);
  },

  async *list(session: GmailSession, cursor: Json, startdate: string | null) {
    const { api, containers } = await mailbox(session);
    const { takesTexts } = selectionOf(session.step2);
    for await (const page of listDocuments(session, api, cursor, startdate)) {
      const extracted = await containers.extract(page.documents, takesTexts);
      const filteredBy = addFiltered(page.filteredBy ?? NOTHING_FILTERED, extracted.filteredBy);
      const documents = dropRedundantTexts(extracted.documents, mailRefOf, (ref) => isText(parsePartRef(ref.locator)));
      yield { ...page, documents: withRenditions(documents, mailRefOf), filteredBy };
    }
  },

  async download(session: GmailSession, ref) {
    const { api, containers } = await mailbox(session);
    const locator = parsePartRef(ref.locator);
    if (isText(locator)) return openText((part) => openPart(api, part, ''), ref, locator, decodeUtf8OrDeclared);
    return isContained(locator) ? containers.openFile(ref, locator) : openPart(api, locator, ref.filename);
  },
});

/** The shared resources of a session: an archive is read once for all its documents. */
function mailbox(session: GmailSession): Promise<{ api: GmailApi; containers: ContainerAttachments<GmailPartRef> }> {
  return session.shared(
    'gmail',
    () => {
      const api = new GmailApi(session);
      const attachments: Attachments<GmailPartRef> = {
        locatorOf: parsePartRef,
        keyOf: ({ message, part }) => JSON.stringify([message, part]),
        // Decoding restores lost spaces, so that the content may become larger than `size`.
        sizeOf: ({ size, uuencoded }) => (uuencoded ? 0 : size),
        open: (locator) => openPart(api, locator, ''),
      };
      const containers = new ContainerAttachments(
        attachments,
        attachmentChoice(session.step2),
        documentPasswords(session.fields),
      );
      return Promise.resolve({ api, containers });
    },
    () => undefined,
  );
}
