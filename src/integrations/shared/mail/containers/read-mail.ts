import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { bodyDocument, contentId, shownImages } from '../parts/body-html';
import { type Kind, kindByContent } from '../parts/document-kinds';
import { kindOfPart } from '../parts/parts';
import { beginsUuencoded, UuDecoder } from './uu-decoder';

/** Mails nested deeper than this are attacks or mistakes. */
const MAX_DEPTH = 10;
/** No invoice has a longer text, and sanitizing it takes time. */
const MAX_TEXT_CHARACTERS = 2 * 1024 * 1024;

/** The documents in a mail. */
export interface MailContents {
  readonly files: readonly { readonly name: string | null; readonly kind: Kind; readonly content: Uint8Array }[];
  /** The text of a mail without files, as an HTML document; null when there is none. */
  readonly text: Uint8Array | null;
}

/** Parses a whole mail. Blocks the thread for about 80 ms per megabyte. Rejects when it is nested too deeply. */
export async function readMail(content: Uint8Array): Promise<MailContents> {
  const mail = await parse(content);
  const files = await filesOf(mail, 0);
  return { files, text: files.length > 0 ? null : textOf(mail) };
}

function parse(content: Uint8Array): Promise<Email> {
  return PostalMime.parse(content, { maxRfc822NestingDepth: MAX_DEPTH });
}

/** The attached documents, including those of attached mails. */
async function filesOf({ attachments, html }: Email, depth: number): Promise<MailContents['files']> {
  const files: MailContents['files'][number][] = [];
  for (const attachment of attachments) {
    const content = undoUuencoding(bytesOf(attachment));
    const declared = kindOf(attachment, html !== undefined);
    const kind = declared?.family === 'unknown' ? await kindByContent(content) : declared;
    if (kind?.family === 'mail') {
      if (depth < MAX_DEPTH) files.push(...(await filesOf(await parse(content), depth + 1)));
    } else if (kind) files.push({ name: attachment.filename ?? attachment.description ?? null, kind, content });
  }
  return files;
}

function kindOf(attachment: Attachment, hasHtml: boolean): Kind | undefined {
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
