import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable } from '../../../core/source-errors';
import { bodyDocument, type BodyImage, shownImages } from '../parts/body-html';

/** According to the source. No invoice has a longer text, and sanitizing it blocks this process. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** The limit of all images together; further ones are omitted. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Identifies a part of a mail, in the form of its mailbox. */
type BodyPartRef = { readonly size: number; readonly mimeType: string };
/** Identifies an image of a text; `id` is its Content-ID in the form of `shownImages`. */
type ImageRef = BodyPartRef & { readonly id: string };

/** Identifies a mail's text that is made into a document; properties missing for an image are those of the text. */
export type TextRef<Part extends BodyPartRef> = Part & {
  readonly text: {
    readonly kind: 'html' | 'text';
    readonly charset: string;
    readonly subject: string;
    readonly images: readonly (Partial<Part> & ImageRef)[];
  };
};

/** Whether a locator identifies a mail's text. */
export const isText = <Part extends BodyPartRef>(locator: Part): locator is TextRef<Part> => 'text' in locator;

type Open<Part> = (place: Part) => Promise<SourceDocument>;

/**
 * Renders a mail's text as an HTML document. `open` opens a whole part. Throws `DocumentUnavailable` when the text is too long, and
 * what `open` throws.
 */
export async function openText<Part extends BodyPartRef>(
  open: Open<Part>,
  ref: DocumentRef,
  locator: TextRef<Part>,
  decode: (bytes: Buffer, charset: string) => string = decodeDeclared,
): Promise<SourceDocument> {
  const { charset, images, ...text } = locator.text;
  assertShort(locator.size);
  const places = images.map((image) => ({ ...locator, ...image }));
  const bytes = await readAll(await open(locator));
  return documentOf(ref, { ...text, text: decode(bytes, charset) }, () => Promise.resolve(places), open);
}

/**
 * Renders a mail's text as an HTML document. `imagesOf` returns its images and is called only when some are shown. Throws as
 * `openText`.
 */
export async function documentOf<Image extends ImageRef>(
  { filename }: DocumentRef,
  text: { readonly kind: 'html' | 'text'; readonly text: string; readonly subject: string },
  imagesOf: () => Promise<readonly Image[]>,
  open: Open<Image>,
): Promise<SourceDocument> {
  assertShort(text.text.length);
  const shown = text.kind === 'html' ? shownImages(text.text) : new Set<string>();
  const found = new Map<string, BodyImage>();
  let left = MAX_IMAGE_BYTES;
  for (const image of shown.size > 0 ? await imagesOf() : []) {
    if (!shown.has(image.id) || found.has(image.id) || image.size > left) continue;
    left -= image.size;
    const content = await contentOf(open, image);
    if (content) found.set(image.id, { mimeType: image.mimeType, content });
  }
  const bytes = bodyDocument({ ...text, images: found });
  const stream = Readable.from([bytes], { objectMode: false });
  return { stream, filename, mimeType: 'text/html', size: bytes.length };
}

function assertShort(size: number): void {
  if (size > MAX_TEXT_BYTES)
    throw new DocumentUnavailable('The text of a mail is too long.', true, { problem: 'TOO_LARGE' });
}

/** Null for a permanently unavailable image: the text is delivered without it. */
async function contentOf<Image>(open: Open<Image>, image: Image): Promise<Buffer | null> {
  try {
    return await readAll(await open(image));
  } catch (error) {
    if (error instanceof DocumentUnavailable && error.permanent) return null;
    throw error;
  }
}

async function readAll({ stream }: SourceDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** Decodes with the declared charset; without a known one as UTF-8 if valid, else as Windows-1252. */
function decodeDeclared(bytes: Buffer, charset: string): string {
  try {
    if (charset !== '' && charset !== 'us-ascii') return new TextDecoder(charset).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** For mailboxes that may convert a text to UTF-8 without changing its declared charset. */
export function decodeUtf8OrDeclared(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeDeclared(bytes, charset);
  }
}
