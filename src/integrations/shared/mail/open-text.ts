import { Readable } from 'node:stream';
import { bodyDocument, type BodyImage, shownImages } from '../shared/mail/body-html';
import type { DocumentRef, SourceDocument } from '../source-document';
import { DocumentUnavailable } from '../source-errors';
import type { PartLocator, TextLocator } from './part-locator';

/** As transferred. Nobody's invoice has a longer text, and cleaning it takes this process's time. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Of all images together, as transferred. Those beyond are left out. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/**
 * Makes an HTML document of a mail's own text. `open` opens a whole part of a mail. Throws `DocumentUnavailable` for a text that is
 * too long, and what opening throws.
 */
export async function openText(
  open: (locator: PartLocator) => Promise<SourceDocument>,
  { filename }: DocumentRef,
  locator: TextLocator,
): Promise<SourceDocument> {
  const { kind, charset, subject, images } = locator.text;
  if (locator.size > MAX_TEXT_BYTES) throw new DocumentUnavailable('The text of a mail is too long.', true);
  const text = decode(await wholeOf(await open(locator)), charset);
  const shown = kind === 'html' ? shownImages(text) : new Set();
  const found = new Map<string, BodyImage>();
  let left = MAX_IMAGE_BYTES;
  for (const { id, ...section } of images) {
    if (!shown.has(id) || found.has(id) || section.size > left) continue;
    left -= section.size;
    const content = await image(open, { ...locator, ...section });
    if (content) found.set(id, { mimeType: section.mimeType, content });
  }
  const bytes = bodyDocument({ kind, text, subject, images: found });
  const stream = Readable.from([bytes], { objectMode: false });
  return { stream, filename, mimeType: 'text/html', size: bytes.length };
}

/** Null for one that cannot be read for ever: the text is worth more than its pictures. */
async function image(
  open: (locator: PartLocator) => Promise<SourceDocument>,
  locator: PartLocator,
): Promise<Buffer | null> {
  try {
    return await wholeOf(await open(locator));
  } catch (error) {
    if (error instanceof DocumentUnavailable && error.permanent) return null;
    throw error;
  }
}

async function wholeOf({ stream }: SourceDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** As the mail says; what it says nothing of, or something unknown, is UTF-8 if it can be, else Western European. */
function decode(bytes: Buffer, charset: string): string {
  try {
    if (charset !== '' && charset !== 'us-ascii') return new TextDecoder(charset).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
