import type { AttachmentChoice } from '../../parts/kinds/attachment-choice';
import {
  addAttachment,
  contentsOf,
  type FoundAttachments,
  type MailAttachment,
  type MailContents,
  nothingFound,
} from '../collect-attachments';
import { collectMail } from '../read-mail';
import type { OutlookAttachment, OutlookMessage } from './outlook-message';

/** The documents in a mail in a format of Outlook, including those of attached mails. Its text is not taken. */
export async function readOutlook(message: OutlookMessage, choice: AttachmentChoice): Promise<MailContents> {
  const found = nothingFound();
  await collect(message, choice, found);
  return contentsOf(found);
}

async function collect({ attachments }: OutlookMessage, choice: AttachmentChoice, found: FoundAttachments) {
  for (const attachment of attachments) {
    const { content } = attachment;
    if (content === null) {
      found.count += 1;
      found.others.push('UNREADABLE');
    } else if (!(content instanceof Uint8Array)) await collect(content, choice, found);
    else {
      const mail = await addAttachment(found, attachmentOf(attachment, content), choice);
      if (mail) await collectMail(mail, choice, found);
    }
  }
}

function attachmentOf({ name, mimeType, contentId, isInline }: OutlookAttachment, content: Uint8Array): MailAttachment {
  return {
    node: {
      type: mimeType ?? 'application/octet-stream',
      size: content.length,
      disposition: isInline ? 'inline' : 'attachment',
      ...(name && { dispositionParameters: { filename: name } }),
      ...(contentId && { id: contentId }),
    },
    around: { within: isInline ? 'multipart/related' : 'multipart/mixed', hasHtml: isInline },
    name: name ?? null,
    content,
  };
}
