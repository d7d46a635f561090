import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { bodyDocument, contentId, shownImages } from '../parts/body-html';
import type { AttachmentChoice } from '../parts/kinds/attachment-choice';
import {
  addAttachment,
  contentsOf,
  type FoundAttachments,
  type MailAttachment,
  type MailContents,
  nothingFound,
} from './collect-attachments';
import { keepNamedTextParts } from './named-text-parts';
import { beginsUuencoded, UuDecoder } from './uu-decoder';

keepNamedTextParts();

/** Mails nested deeper than this are attacks or mistakes. */
const MAX_DEPTH = 10;
/** No invoice has a longer text, and sanitizing it takes time. */
const MAX_TEXT_CHARACTERS = 2 * 1024 * 1024;

/** Parses a whole mail. Blocks the thread for about 80 ms per megabyte. Rejects when it is nested too deeply. */
export async function readMail(content: Uint8Array, choice: AttachmentChoice): Promise<MailContents> {
  const mail = await parse(content);
  const found = nothingFound();
  await collect(mail, 0, choice, found);
  const contents = contentsOf(found);
  return contents.files.length > 0 ? contents : { ...contents, text: textOf(mail) };
}

/** Adds the attachments of a mail that is attached to a mail in another format. */
export async function collectMail(
  content: Uint8Array,
  choice: AttachmentChoice,
  found: FoundAttachments,
): Promise<void> {
  await collect(await parse(content), 1, choice, found);
}

function parse(content: Uint8Array): Promise<Email> {
  return PostalMime.parse(content, { maxRfc822NestingDepth: MAX_DEPTH });
}

/** Sorts the attachments of a mail, including those of attached mails. */
async function collect({ attachments, html }: Email, depth: number, choice: AttachmentChoice, found: FoundAttachments) {
  for (const attachment of attachments) {
    const mail = await addAttachment(found, attachmentOf(attachment, html !== undefined), choice);
    if (mail && depth === MAX_DEPTH) found.others.push('UNREADABLE');
    else if (mail) await collect(await parse(mail), depth + 1, choice, found);
  }
}

function attachmentOf(attachment: Attachment, hasHtml: boolean): MailAttachment {
  const { mimeType, filename, disposition, contentId: id, description, related } = attachment;
  const bytes = bytesOf(attachment);
  return {
    node: {
      type: mimeType,
      size: bytes.length,
      ...(disposition && { disposition }),
      ...(filename && { dispositionParameters: { filename } }),
      ...(description && { description }),
      ...(id && { id }),
    },
    around: { within: related ? 'multipart/related' : 'multipart/mixed', hasHtml },
    name: filename ?? description ?? null,
    content: undoUuencoding(bytes),
  };
}

function textOf({ html, text, subject = '', attachments }: Email): Uint8Array | null {
  const shown = html ?? text;
  if (!shown?.trim() || shown.length > MAX_TEXT_CHARACTERS) return null;
  const wanted = html === undefined ? new Set() : shownImages(html);
  const images = attachments.flatMap((image) => {
    const id = contentId(image.contentId ?? '');
    return wanted.has(id) ? [[id, { mimeType: image.mimeType, content: bytesOf(image) }] as const] : [];
  });
  return bodyDocument({ kind: html === undefined ? 'text' : 'html', text: shown, subject, images: new Map(images) });
}

/** The parser returns uuencoded content unchanged and does not report the encoding. */
function undoUuencoding(content: Buffer): Buffer {
  if (!beginsUuencoded(content)) return content;
  const decoder = new UuDecoder();
  return Buffer.concat([...decoder.pieces(content), decoder.end()]);
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
