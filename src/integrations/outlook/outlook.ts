import { documentPasswords } from '../core/document-passwords';
import { defineIntegration } from '../core/integration';
import type { Json, SourceDocument } from '../core/source-document';
import { withRenditions } from '../shared/mail/parts/renditions';
import { isContained } from '../shared/mail/contained-locator';
import { ContainerAttachments } from '../shared/mail/container-attachments';
import { attachmentChoice } from '../shared/mail/parts/kinds/attachment-choice';
import type { Attachments } from '../shared/mail/parts/attachments';
import { accountOf, GRAPH, graphOAuth } from '../shared/microsoft/graph-account';
import { GraphClient } from '../shared/microsoft/graph-client';
import { outlookFields, type OutlookSession, sharedMailboxes, STEP1 } from './fields';
import { OutlookFolders } from './folders';
import { listMails, type OutlookMailbox } from './list-mails';
import { MailApi, PREFER } from './mail-api';
import { openText } from './open-text';
import { parseAttachmentRef, type OutlookAttachmentRef, mailRefOf } from './mail-documents';

/**
 * Mailboxes of Microsoft 365 and outlook.com, shared ones included, by Microsoft Graph: documents are the attachments of the mails
 * in the selected folders, the files in attached zip archives and signed mails, and optionally the texts of mails without
 * attachments.
 */
export const outlook = defineIntegration({
  id: 'outlook',
  name: { en: 'Outlook', de: 'Outlook' },
  category: 'MAILBOX',
  authType: 'OAUTH2',
  documentTypes: ['invoice', 'credit_note', 'document'],
  providesExternalId: false,
  mail: {
    domains: ['outlook.com', 'outlook.de', 'hotmail.com', 'hotmail.de', 'live.com', 'live.de', 'msn.com'],
    hosts: ['outlook.com', 'office365.com', 'mx.microsoft'],
    integrations: ['outlook', 'outlook_imap'],
  },
  step1: STEP1,
  worksWithoutStep2: true,
  // Graph allows four concurrent requests per app and mailbox, and 10,000 in ten minutes: one for the listing, three for downloads.
  rateLimits: { concurrency: 3, requestsPerSecond: 10 },
  apiBaseUrl: GRAPH,
  oauth: graphOAuth(['Mail.Read'], (step2) => (sharedMailboxes(step2).length > 0 ? ['Mail.Read.Shared'] : [])),

  async check(session: OutlookSession) {
    const graph = new GraphClient(session, PREFER);
    const account = await accountOf(graph);
    await new MailApi(graph).inbox(); // not every account has a mailbox
    return account;
  },

  async step2(session: OutlookSession) {
    const { folders } = await mailbox(session);
    return outlookFields(await folders.level(sharedMailboxes(session.step2)));
  },

  async options(session: OutlookSession, fieldId: string, parentId?: string) {
    if (fieldId !== 'folders') return [];
    const { folders } = await mailbox(session);
    return folders.level(sharedMailboxes(session.step2), parentId);
  },

  async resolve(session: OutlookSession, fieldId: string, values: readonly string[]) {
    if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
    const { folders } = await mailbox(session);
    const options = [];
    for (const value of values) options.push(await folders.find(value));
    return options;
  },

  async *list(session: OutlookSession, cursor: Json, startdate: string | null) {
    yield* listMails(session, await mailbox(session), cursor, startdate);
  },

  async download(session: OutlookSession, ref): Promise<SourceDocument> {
    const { api, containers, downloadAttachment } = await mailbox(session);
    const place = parseAttachmentRef(ref.locator);
    if (place.attachment === '') return openText(api, ref, place);
    return isContained(place) ? containers.openFile(ref, place) : downloadAttachment(place, ref.filename);
  },
});

interface OutlookSessionMailbox extends OutlookMailbox {
  readonly containers: ContainerAttachments<OutlookAttachmentRef>;
  readonly downloadAttachment: (place: OutlookAttachmentRef, filename: string) => Promise<SourceDocument>;
}

/** The shared resources of a session. */
function mailbox(session: OutlookSession): Promise<OutlookSessionMailbox> {
  return session.shared(
    'outlook',
    () => {
      const api = new MailApi(new GraphClient(session, PREFER));
      const downloadAttachment: OutlookSessionMailbox['downloadAttachment'] = async (place, filename) => {
        const { stream, size } = await api.content(place.mailbox, place.message, place.attachment);
        return { stream, filename, mimeType: place.mimeType, ...(size !== undefined && { size }) };
      };
      const attachments: Attachments<OutlookAttachmentRef> = {
        locatorOf: parseAttachmentRef,
        keyOf: ({ mailbox: address, message, attachment }) => JSON.stringify([address, message, attachment]),
        open: (place) => downloadAttachment(place, ''),
      };
      const containers = new ContainerAttachments(
        attachments,
        attachmentChoice(session.step2),
        documentPasswords(session.fields),
      );
      const extract: OutlookMailbox['extract'] = async (found, texts) => {
        const { documents, filteredBy } = await containers.extract(found, texts);
        return { documents: withRenditions(documents, mailRefOf), filteredBy };
      };
      return Promise.resolve({ api, folders: new OutlookFolders(api), containers, downloadAttachment, extract });
    },
    () => undefined,
  );
}
