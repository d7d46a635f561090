import type { DocumentRef } from '../../../core/source-document';
import type { FilterReason } from '../../../core/filter-reason';
import { DocumentUnavailable } from '../../../core/source-errors';
import { type AttachmentChoice, optionalKindByContent } from '../parts/kinds/attachment-choice';
import type { AttachmentLocator, Attachments } from '../parts/attachments';
import { kindByContent, kindOfDoubtful } from '../parts/kinds/document-kinds';
import { DOUBTFUL, type Kind, UNKNOWN } from '../parts/kinds/kinds';
import { nameParts } from '../parts/part-names';
import { headOf } from './archives/archive-contents';

/**
 * Determines the type of an attachment by its content when its MIME type and its name do not identify it; only then its beginning
 * is read. Returns why it is not taken. One that cannot be read is returned unchanged: its download says why.
 * @throws what opening an attachment throws
 */
export async function sniffType<Locator extends AttachmentLocator>(
  ref: DocumentRef,
  attachments: Attachments<Locator>,
  choice: AttachmentChoice,
): Promise<DocumentRef | FilterReason> {
  const locator = attachments.locatorOf(ref.locator);
  const isDoubtful = locator.mimeType === DOUBTFUL.mimeType;
  if (!isDoubtful && locator.mimeType !== UNKNOWN.mimeType) return ref;
  const typed = ({ mimeType }: Kind) => ({ ...locator, mimeType });
  const head = await beginningOf(locator, attachments);
  if (!head) return { ...ref, locator: typed(UNKNOWN) };
  if (head.length === 0) return 'EMPTY';
  const kind = isDoubtful
    ? await kindOfDoubtful(head, ref.filename)
    : ((await kindByContent(head)) ?? (await optionalKindByContent(choice, head)));
  if (!kind) return 'TYPE';
  const [filename] = nameParts([{ kind, name: ref.filename }], '');
  return { ...ref, filename: filename!, locator: typed(kind) };
}

/** Undefined when it cannot be read. */
async function beginningOf<Locator>(locator: Locator, attachments: Attachments<Locator>): Promise<Buffer | undefined> {
  try {
    return await headOf((await attachments.open(locator)).stream as AsyncIterable<Buffer>);
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    return error.problem === 'EMPTY' ? Buffer.alloc(0) : undefined;
  }
}
