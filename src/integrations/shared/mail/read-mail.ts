import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { bodyDocument, contentId, shownImages } from './body-html';
import type { Kind } from './document-kinds';
import { kindOfPart } from './parts';

/** A mail nested deeper than this is an attack or a mistake. */
const MAX_DEPTH = 10;
/** Nobody's invoice has a longer text, and cleaning it takes time. */
const MAX_TEXT = 2 * 1024 * 1024;

/** The documents in a mail. */
export interface ReadMail {
  readonly files: readonly { readonly name: string | null; readonly kind: Kind; readonly content: Uint8Array }[];
  /** Of a mail that has no files: its text, as an HTML document; null when there is none. */
  readonly text: Uint8Array | null;
}

/** Reads a mail that is here as a whole. Synchronous work: 80 ms a megabyte. Rejects when it is nested too deeply. */
export async function readMail(content: Uint8Array): Promise<ReadMail> {
  const mail = await parse(content);
  const files = (await allOf(mail.attachments, 0)).flatMap((attachment) => {
    const kind = kindOf(attachment);
    const name = attachment.filename ?? attachment.description ?? null;
    return kind ? [{ name, kind, content: bytesOf(attachment) }] : [];
  });
  return { files, text: files.length > 0 ? null : textOf(mail) };
}

function parse(content: Uint8Array): Promise<Email> {
  return PostalMime.parse(content, { maxRfc822NestingDepth: MAX_DEPTH });
}

/** Attachments, and those of attached mails. */
async function allOf(attachments: readonly Attachment[], depth: number): Promise<Attachment[]> {
  const all: Attachment[] = [];
  for (const attachment of attachments) {
    const isMail = attachment.mimeType === 'message/rfc822' && depth < MAX_DEPTH;
    if (isMail) all.push(...(await allOf((await parse(bytesOf(attachment))).attachments, depth + 1)));
    else all.push(attachment);
  }
  return all;
}

function kindOf(attachment: Attachment): Kind | undefined {
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
    related ? 'multipart/related' : 'multipart/mixed',
  );
}

function textOf({ html, text, subject = '', attachments }: Email): Uint8Array | null {
  const shown = html ?? text;
  if (!shown?.trim() || shown.length > MAX_TEXT) return null;
  const wanted = html === undefined ? new Set() : shownImages(html);
  const images = attachments.flatMap((image) => {
    const id = contentId(image.contentId ?? '');
    return wanted.has(id) ? [[id, { mimeType: image.mimeType, content: bytesOf(image) }] as const] : [];
  });
  return bodyDocument({ kind: html === undefined ? 'text' : 'html', text: shown, subject, images: new Map(images) });
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
