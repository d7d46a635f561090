import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { bodyDocument, contentId, shownImages } from '../parts/body-html';
import { countReasons, type FilteredBy, type FilterReason } from '../../../core/filter-reason';
import { type AttachmentChoice, optionalKindByContent } from '../parts/attachment-choice';
import { type Kind, kindByContent } from '../parts/document-kinds';
import { kindOfPart } from '../parts/parts';
import { beginsUuencoded, UuDecoder } from './uu-decoder';

/** Mails nested deeper than this are attacks or mistakes. */
const MAX_DEPTH = 10;
/** No invoice has a longer text, and sanitizing it takes time. */
const MAX_TEXT_CHARACTERS = 2 * 1024 * 1024;

interface MailFile {
  /** Permanent, whichever attachments are taken: documents are numbered first. */
  readonly index: number;
  readonly name: string | null;
  readonly kind: Kind;
  readonly content: Uint8Array;
}

/** The documents in a mail. */
export interface MailContents {
  readonly files: readonly MailFile[];
  /** The number of attachments that are not taken, by reason. */
  readonly filteredBy: FilteredBy;
  /** The text of a mail without files, as an HTML document; null when there is none. */
  readonly text: Uint8Array | null;
}

/** Files that are no documents by themselves are numbered from here on, by their place in the mail. */
const FIRST_OPTIONAL_INDEX = 1_000_000;

/** The attachments that have been found so far. */
interface FoundAttachments {
  readonly documents: MailFile[];
  readonly optional: MailFile[];
  readonly others: FilterReason[];
  count: number;
}

/** Parses a whole mail. Blocks the thread for about 80 ms per megabyte. Rejects when it is nested too deeply. */
export async function readMail(content: Uint8Array, choice: AttachmentChoice): Promise<MailContents> {
  const mail = await parse(content);
  const found: FoundAttachments = { documents: [], optional: [], others: [], count: 0 };
  await collect(mail, 0, choice, found);
  const files = [...found.documents, ...found.optional];
  return { files, filteredBy: countReasons(found.others), text: files.length > 0 ? null : textOf(mail) };
}

function parse(content: Uint8Array): Promise<Email> {
  return PostalMime.parse(content, { maxRfc822NestingDepth: MAX_DEPTH });
}

/** Sorts the attachments of a mail, including those of attached mails. */
async function collect({ attachments, html }: Email, depth: number, choice: AttachmentChoice, found: FoundAttachments) {
  for (const attachment of attachments) {
    const content = undoUuencoding(bytesOf(attachment));
    const kind = await classify(attachment, content, html !== undefined, choice);
    const name = attachment.filename ?? attachment.description ?? null;
    found.count += 1;
    if (typeof kind === 'string') found.others.push(kind);
    else if (kind.family === 'mail' && depth === MAX_DEPTH) found.others.push('UNREADABLE');
    else if (kind.family === 'mail') await collect(await parse(content), depth + 1, choice, found);
    else if (kind.family === 'office' || kind.family === 'other') {
      found.optional.push({ index: FIRST_OPTIONAL_INDEX + found.count, name, kind, content });
    } else found.documents.push({ index: found.documents.length, name, kind, content });
  }
}

async function classify(
  attachment: Attachment,
  content: Buffer,
  hasHtml: boolean,
  choice: AttachmentChoice,
): Promise<Kind | FilterReason> {
  const declared = kindOf(attachment, hasHtml, choice) ?? 'TYPE';
  if (typeof declared === 'string' || declared.family !== 'unknown') return declared;
  return (await kindByContent(content)) ?? (await optionalKindByContent(choice, content)) ?? 'TYPE';
}

function kindOf(attachment: Attachment, hasHtml: boolean, choice: AttachmentChoice): Kind | FilterReason | undefined {
  const { mimeType, filename, disposition, contentId: id, description, related } = attachment;
  return kindOfPart(
    {
      type: mimeType,
      size: bytesOf(attachment).length,
      ...(disposition && { disposition }),
      ...(filename && { dispositionParameters: { filename } }),
      ...(description && { description }),
      ...(id && { id }),
    },
    { within: related ? 'multipart/related' : 'multipart/mixed', hasHtml },
    choice,
  );
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
