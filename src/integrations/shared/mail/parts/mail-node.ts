import type { FilterReason } from '../../../core/filter-reason';
import { type AttachmentChoice, optionalKind } from './kinds/attachment-choice';
import { hasDocumentExtension, kindOf, kindOfAttached, mayBeDocument } from './kinds/document-kinds';
import { DOUBTFUL, type Kind, PGP } from './kinds/kinds';

/** A node of a mail's MIME tree (RFC 2045). Types are in lower case; names are decoded. */
export interface MailNode {
  readonly type: string;
  /** The children of a multipart, or the body of a nested mail. */
  readonly childNodes?: readonly MailNode[];
  readonly disposition?: string;
  readonly dispositionParameters?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** Its Content-ID. */
  readonly id?: string;
  readonly encoding?: string;
  /** The size in bytes according to the source. */
  readonly size?: number;
  /** The source's identifier of the part, where that is not the section number. */
  readonly ref?: string;
}

/** The context of a part. */
export interface PartContext {
  /** The type of the enclosing multipart. */
  readonly within: string;
  /** Whether its mail has an HTML text, which alone can refer to a Content-ID (RFC 2392). */
  readonly hasHtml: boolean;
}

/** Kinds that are never part of a mail's text. */
const ALWAYS_ATTACHED: ReadonlySet<Kind['family']> = new Set([
  'pdf',
  'zip',
  'tar',
  'gzip',
  '7z',
  'msg',
  'cms',
  'tnef',
  'encrypted',
  'mail',
  'unknown',
]);
/** Inline images up to this encoded size are logos, not documents. */
const LOGO_BYTES = 64 * 1024;
/** The kind of a leaf part that is taken, or why it is not; undefined for the text of a mail. */
export function kindOfPart(
  node: MailNode,
  around: PartContext,
  choice: AttachmentChoice = 'documents',
): Kind | FilterReason | undefined {
  const type = node.type.toLowerCase();
  const name = nameOf(node) ?? node.description;
  // The other one of its two parts contains the version.
  if (around.within === 'multipart/encrypted' && type === 'application/octet-stream') return PGP;
  const kind = (isFile(node, around) ? kindOfAttached : kindOf)(type, name);
  if (kind && isAttached(node, kind, around)) return kind;
  if (isText(node, type, around)) return undefined;
  const isImage = kind?.family === 'image' || (type.startsWith('image/') && !isFile(node, around));
  const isVariant = around.within === 'multipart/alternative';
  const optional = isImage || isVariant ? undefined : optionalKind(choice, type, name);
  if (optional) return optional;
  if (!isVariant && mayBeDocument(type, name)) return DOUBTFUL;
  return isImage ? 'INLINE_IMAGE' : 'TYPE';
}

/** Whether a part that is no document is the text of its mail, in one of its forms. */
function isText(node: MailNode, type: string, { within }: PartContext): boolean {
  if (!type.startsWith('text/') || node.disposition === 'attachment' || nameOf(node) !== undefined) return false;
  return (
    type === 'text/plain' || type === 'text/html' || (within === 'multipart/alternative' && type !== 'text/calendar')
  );
}

/**
 * Whether the part is certainly not part of the text: a part without any indication is to be saved as a file (RFC 2046 section
 * 4.5.1, RFC 2183 section 2.8).
 */
function isFile({ disposition, id }: MailNode, { within }: PartContext): boolean {
  return disposition === 'attachment' || (disposition !== 'inline' && within !== 'multipart/related' && !id);
}

/** The name of a part (RFC 2183 section 2.3), or the `name` parameter of its type when only that identifies a document. Empty names are ignored. */
export function nameOf({
  dispositionParameters,
  parameters,
}: Pick<MailNode, 'dispositionParameters' | 'parameters'>): string | undefined {
  const names = [dispositionParameters?.['filename'], parameters?.['name']].filter((name) => name?.trim());
  return names.find(hasDocumentExtension) ?? names[0];
}

/**
 * Whether a part is an attached document rather than part of the mail's text. Only images and XML without name are ambiguous: logos
 * are referenced by Content-ID, are in multipart/related or are small and inline; photos of receipts and faxes are not.
 */
function isAttached(node: MailNode, kind: Kind, { within, hasHtml }: PartContext): boolean {
  if (ALWAYS_ATTACHED.has(kind.family)) return true;
  const attached = node.disposition === 'attachment';
  if (kind.family === 'xml') return attached || within !== 'multipart/alternative';
  const referable = hasHtml && Boolean(node.id);
  if (within === 'multipart/related') return attached && !referable;
  if (attached || kind.extension === 'tif') return true;
  return !referable && (node.size ?? 0) > LOGO_BYTES;
}
