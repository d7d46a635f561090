import { countReasons, type FilteredBy, type FilterReason } from '../../../core/filter-reason';
import { type AttachmentChoice, optionalKindByContent } from '../parts/kinds/attachment-choice';
import { kindByContent, kindOfDoubtful } from '../parts/kinds/document-kinds';
import type { Kind } from '../parts/kinds/kinds';
import { kindOfPart, type MailNode, type PartContext } from '../parts/mail-node';

/** An attachment of a mail that has been read as a whole. */
export interface MailAttachment {
  readonly node: MailNode;
  readonly around: PartContext;
  readonly name: string | null;
  readonly content: Uint8Array;
}

interface MailFile {
  /** Permanent, whichever attachments are taken. */
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

/** The attachments that have been found so far. */
export interface FoundAttachments {
  readonly documents: MailFile[];
  readonly optional: MailFile[];
  readonly others: FilterReason[];
  count: number;
}

/** Files of other families are numbered from here on, by their place in the mail, so that the numbers of these never change. */
const FIRST_OTHER_INDEX = 1_000_000;
const NUMBERED_FAMILIES: ReadonlySet<Kind['family']> = new Set([
  'pdf',
  'xml',
  'image',
  'zip',
  'cms',
  'tnef',
  'encrypted',
]);

export const nothingFound = (): FoundAttachments => ({ documents: [], optional: [], others: [], count: 0 });

export function contentsOf({ documents, optional, others }: FoundAttachments): MailContents {
  return { files: [...documents, ...optional], filteredBy: countReasons(others), text: null };
}

/** Sorts an attachment. Returns the content of a mail, which is not taken: its attachments are. */
export async function addAttachment(
  found: FoundAttachments,
  { node, around, name, content }: MailAttachment,
  choice: AttachmentChoice,
): Promise<Uint8Array | undefined> {
  const declared = kindOfPart(node, around, choice) ?? 'TYPE';
  const kind = typeof declared === 'string' ? declared : await confirmed(declared, content, name, choice);
  found.count += 1;
  if (typeof kind === 'string') found.others.push(kind);
  else if (kind.family === 'mail') return content;
  else if (isNumbered(kind, declared, node))
    found.documents.push({ index: found.documents.length, name, kind, content });
  else found.optional.push({ index: FIRST_OTHER_INDEX + found.count, name, kind, content });
  return undefined;
}

/** The kind by content when type and name leave it open. */
async function confirmed(
  declared: Kind,
  content: Uint8Array,
  name: string | null,
  choice: AttachmentChoice,
): Promise<Kind | FilterReason> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (declared.family === 'doubtful') return (await kindOfDoubtful(bytes, name ?? '')) ?? 'TYPE';
  if (declared.family !== 'unknown') return declared;
  return (await kindByContent(bytes)) ?? (await optionalKindByContent(choice, bytes)) ?? 'TYPE';
}

function isNumbered(kind: Kind, declared: Kind | FilterReason, { type, disposition }: MailNode): boolean {
  const isDoubtful = typeof declared === 'object' && declared.family === 'doubtful';
  const isText =
    type.toLowerCase() === 'text/html' || (type.toLowerCase() === 'text/plain' && disposition !== 'attachment');
  return NUMBERED_FAMILIES.has(kind.family) && !isDoubtful && !isText;
}
