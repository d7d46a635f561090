import { HEAD_BYTES } from '../../../../documents/detection/mime-type';
import type { DocumentRef } from '../../../core/source-document';
import { DocumentUnavailable } from '../../../core/source-errors';
import type { AttachmentLocator, Attachments } from '../parts/attachments';
import { kindByContent, UNKNOWN } from '../parts/document-kinds';
import { nameParts } from '../parts/part-names';

/**
 * Determines the type of an attachment by its content when neither its MIME type nor its name identifies it; undefined when it is
 * no document or no longer exists. Only then its beginning is read. @throws what opening an attachment throws
 */
export async function sniffType<Locator extends AttachmentLocator>(
  ref: DocumentRef,
  attachments: Attachments<Locator>,
): Promise<DocumentRef | undefined> {
  const locator = attachments.locatorOf(ref.locator);
  if (locator.mimeType !== UNKNOWN.mimeType) return ref;
  const kind = await kindByContent(await headOf(locator, attachments));
  if (!kind) return undefined;
  const [filename] = nameParts([{ kind, name: ref.filename }], '');
  return { ...ref, filename: filename!, locator: { ...locator, mimeType: kind.mimeType } };
}

async function headOf<Locator>(locator: Locator, attachments: Attachments<Locator>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of (await attachments.open(locator)).stream as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= HEAD_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
  }
  return Buffer.concat(parts);
}
