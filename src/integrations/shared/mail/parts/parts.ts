import { countReasons, type FilteredBy, type FilterReason } from '../../../core/filter-reason';
import { type AttachmentChoice, optionalKind } from './attachment-choice';
import { hasDocumentExtension, kindOf, kindOfAttached, type Kind, PGP } from './document-kinds';

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

/** A part of a mail that is a document. */
export interface Part {
  /** The section number for FETCH (RFC 9051 section 6.4.5.1). */
  readonly section: string;
  /** The MIME type according to the mail, not that of the delivered document. */
  readonly declaredType: string;
  readonly kind: Kind;
  /** The decoded name; may be missing. */
  readonly name?: string;
  readonly description?: string;
  readonly encoding: string;
  /** The size in bytes according to the source; in IMAP of the encoded form. */
  readonly size: number;
  readonly ref?: string;
}

/** The context of a part. */
interface PartContext {
  /** The type of the enclosing multipart. */
  readonly within: string;
  /** Whether its mail has an HTML text, which alone can refer to a Content-ID (RFC 2392). */
  readonly hasHtml: boolean;
}

interface PartPosition extends PartContext {
  readonly choice: AttachmentChoice;
  readonly section: string;
  readonly depth: number;
}

/** Kinds that are never part of a mail's text. */
const ALWAYS_ATTACHED: ReadonlySet<Kind['family']> = new Set([
  'pdf',
  'zip',
  'cms',
  'tnef',
  'encrypted',
  'mail',
  'unknown',
]);
/** Inline images up to this encoded size are logos, not documents. */
const LOGO_BYTES = 64 * 1024;
/** Mails nested deeper than this are attacks or mistakes. */
const MAX_DEPTH = 50;

/** The parts of a mail that are taken, in order, and the number of the others, without the mail's text. */
export interface AttachedParts {
  readonly parts: Part[];
  readonly filteredBy: FilteredBy;
}

/**
 * The documents among the parts of a mail, in order, including those of forwarded mails (message/rfc822). Section numbers are
 * computed, because BODYSTRUCTURE does not contain them: the body of a nested mail without multipart is `n.1`.
 */
export function attachedParts(structure: MailNode, choice: AttachmentChoice = 'documents'): AttachedParts {
  const found = [...body(structure, '', 0, choice)];
  return {
    parts: found.filter((part) => typeof part === 'object'),
    filteredBy: countReasons(found.filter((part) => typeof part === 'string')),
  };
}

/** Each leaf as a part, or why it is none. */
type Leaves = Generator<Part | FilterReason, void>;

/** The body of a mail, the outer one or a nested one with the section `prefix`. */
function* body(node: MailNode, prefix: string, depth: number, choice: AttachmentChoice): Leaves {
  const place = { section: prefix, within: '', hasHtml: hasHtml(node, depth), depth, choice };
  if (isMultipart(node)) yield* children(node, place);
  else yield* part(node, { ...place, section: numbered(prefix, 1) });
}

function* children(node: MailNode, { section, depth, ...around }: PartPosition): Leaves {
  for (const [index, child] of (node.childNodes ?? []).entries()) {
    const place = { ...around, section: numbered(section, index + 1), within: node.type, depth: depth + 1 };
    yield* part(child, place);
  }
}

/** Whether the mail itself has an HTML text, not a forwarded one. */
function hasHtml(node: MailNode, depth: number): boolean {
  if (!isMultipart(node)) return node.type.toLowerCase() === 'text/html';
  return depth <= MAX_DEPTH && (node.childNodes ?? []).some((child) => hasHtml(child, depth + 1));
}

function* part(node: MailNode, place: PartPosition): Leaves {
  if (place.depth > MAX_DEPTH) {
    yield 'UNREADABLE';
    return;
  }
  if (isMultipart(node)) return yield* children(node, place);
  const [nested] = node.childNodes ?? [];
  if (nested) return yield* body(nested, place.section, place.depth + 1, place.choice);
  const name = nameOf(node);
  const kind = kindOfPart(node, place, place.choice);
  if (typeof kind === 'string') yield kind;
  if (typeof kind !== 'object') return;
  yield {
    section: place.section,
    declaredType: node.type.toLowerCase(),
    kind,
    ...(name ? { name } : {}),
    ...(node.description ? { description: node.description } : {}),
    encoding: (node.encoding ?? '7bit').trim().toLowerCase(),
    size: node.size ?? 0,
    ...(node.ref === undefined ? {} : { ref: node.ref }),
  };
}

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
  if (kind?.family === 'image') return 'INLINE_IMAGE';
  if (isText(node, type, around)) return undefined;
  if (type.startsWith('image/') && !isFile(node, around)) return 'INLINE_IMAGE';
  return (around.within !== 'multipart/alternative' && optionalKind(choice, type, name)) || 'TYPE';
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

function isMultipart(node: MailNode): boolean {
  return node.type.startsWith('multipart/');
}

function numbered(prefix: string, number: number): string {
  return prefix === '' ? String(number) : `${prefix}.${number}`;
}
