import { HEAD_BYTES } from '../../../../documents/detection/mime-type';
import type { DocumentRef } from '../../../core/source-document';
import type { FilterReason } from '../../../core/filter-reason';
import { DocumentUnavailable } from '../../../core/source-errors';
import { type AttachmentChoice, optionalKindByContent } from '../parts/attachment-choice';
import type { AttachmentLocator, Attachments } from '../parts/attachments';
import { kindByContent, UNKNOWN } from '../parts/document-kinds';
import { nameParts } from '../parts/part-names';

/**
 * Determines the type of an attachment by its content when neither its MIME type nor its name identifies it; only then its
 * beginning is read. Returns why it is not taken. One that cannot be read is returned unchanged: its download says why.
 * @throws what opening an attachment throws
 */
export async function sniffType<Locator extends AttachmentLocator>(
  ref: DocumentRef,
  attachments: Attachments<Locator>,
  choice: AttachmentChoice,
): Promise<DocumentRef | FilterReason> {
  const locator = attachments.locatorOf(ref.locator);
  if (locator.mimeType !== UNKNOWN.mimeType) return ref;
  const head = await headOf(locator, attachments);
  if (!head) return ref;
  if (head.length === 0) return 'EMPTY';
  const kind = (await kindByContent(head)) ?? (await optionalKindByContent(choice, head));
  if (!kind) return 'TYPE';
  const [filename] = nameParts([{ kind, name: ref.filename }], '');
  return { ...ref, filename: filename!, locator: { ...locator, mimeType: kind.mimeType } };
}

/** Undefined when it cannot be read. */
async function headOf<Locator>(locator: Locator, attachments: Attachments<Locator>): Promise<Buffer | undefined> {
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
    if (size === 0 && error.problem !== 'EMPTY') return undefined;
  }
  return Buffer.concat(parts);
}
