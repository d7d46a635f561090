import type { DocumentRef, SourceDocument } from '../core/source-document';
import { SelectionNotFound, DocumentUnavailable } from '../core/source-errors';
import { contentId } from '../shared/mail/parts/body-html';
import { documentOf } from '../shared/mail/text/open-text';
import type { Attachment, MailApi } from './mail-api';
import type { OutlookAttachmentRef } from './mail-documents';

/** Renders a mail's text as an HTML document. Throws `DocumentUnavailable` when it was deleted or is too long, and the API's errors. */
export async function openText(
  api: MailApi,
  ref: DocumentRef,
  { mailbox, message }: OutlookAttachmentRef,
): Promise<SourceDocument> {
  const text = await api.text(mailbox, message);
  const subject = ref.metadata.source?.subject ?? '';
  const images = async () => (await attachments(api, mailbox, message)).flatMap(imageIn);
  return documentOf(ref, { ...text, subject }, images, async ({ attachment, mimeType }) => {
    const { stream } = await api.content(mailbox, message, attachment);
    return { stream, filename: '', mimeType };
  });
}

async function attachments(api: MailApi, mailbox: string | null, message: string): Promise<Attachment[]> {
  try {
    return await api.images(mailbox, message);
  } catch (error) {
    if (!(error instanceof SelectionNotFound)) throw error;
    throw new DocumentUnavailable('The mail was deleted while it was read.', true, { cause: error });
  }
}

function imageIn({ id, contentId: given, contentType, size = 0 }: Attachment) {
  const mimeType = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!given || !mimeType.startsWith('image/')) return [];
  return [{ attachment: id, id: contentId(given), mimeType, size }];
}
