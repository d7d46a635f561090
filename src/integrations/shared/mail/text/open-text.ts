import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable } from '../../../core/source-errors';
import { bodyDocument, type BodyImage, shownImages } from '../parts/body-html';

/** As the source counts them. Nobody's invoice has a longer text, and cleaning it takes this process's time. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Of all images together, likewise. Those beyond are left out. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Where a part of a mail is, in whatever way its mailbox finds it. */
type BodyPartRef = { readonly size: number; readonly mimeType: string };
/** The same for an image of a text; `id` is its Content-ID, as `shownImages` has them. */
type ImageRef = BodyPartRef & { readonly id: string };

/** Where a mail's own text is that is made into a document; what is missing in an image's place is as in the text's. */
export type TextRef<Part extends BodyPartRef> = Part & {
  readonly text: {
    readonly kind: 'html' | 'text';
    readonly charset: string;
    readonly subject: string;
    readonly images: readonly (Partial<Part> & ImageRef)[];
  };
};

/** Whether a locator leads to a mail's own text. */
export const isText = <Part extends BodyPartRef>(locator: Part): locator is TextRef<Part> => 'text' in locator;

type Open<Part> = (place: Part) => Promise<SourceDocument>;

/**
 * Makes an HTML document of a part that is a mail's own text. `open` opens a whole part. Throws `DocumentUnavailable` for a text
 * that is too long, and what opening throws.
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
 * Makes an HTML document of a mail's own text. `imagesOf` tells of its images, and is asked only where some are shown.
 * Throws as `openText`.
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
  if (size > MAX_TEXT_BYTES) throw new DocumentUnavailable('The text of a mail is too long.', true);
}

/** Null for one that cannot be read for ever: the text is worth more than its pictures. */
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

/** As the mail says; what it says nothing of, or something unknown, is UTF-8 if it can be, else Western European. */
function decodeDeclared(bytes: Buffer, charset: string): string {
  try {
    if (charset !== '' && charset !== 'us-ascii') return new TextDecoder(charset).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** For a mailbox that may have made UTF-8 of a text and left the mail's own word on it as it was. */
export function decodeUtf8OrDeclared(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeDeclared(bytes, charset);
  }
}
