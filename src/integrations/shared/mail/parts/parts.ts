import { countReasons, type FilteredBy, type FilterReason } from '../../../core/filter-reason';
import type { AttachmentChoice } from './kinds/attachment-choice';
import { type Kind, MAIL } from './kinds/kinds';
import { kindOfPart, type MailNode, nameOf, type PartContext } from './mail-node';

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

interface PartPosition extends PartContext {
  readonly choice: AttachmentChoice;
  readonly section: string;
  readonly depth: number;
}

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

/** Each leaf as a part, or the reason why it is not fetched. */
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
  if (nested) return yield* nestedMail(node, nested, place);
  const kind = kindOfPart(node, place, place.choice);
  if (typeof kind === 'string') yield kind;
  else if (kind) yield partOf(node, kind, place.section);
}

/**
 * A mail in a mail. Some programs encode it, although RFC 2046 section 5.2.1 forbids that: most servers then describe it as if it
 * were empty, so that it is opened as a whole.
 */
function* nestedMail(node: MailNode, nested: MailNode, place: PartPosition): Leaves {
  const inside = [...body(nested, place.section, place.depth + 1, place.choice)];
  const isDescribed = isPlain(node.encoding) || inside.some((part) => typeof part === 'object' && isDocument(part));
  if (isDescribed) yield* inside;
  else yield partOf(node, MAIL, place.section);
}

/** Whether a server has found a document, and not just misread the encoded header. */
function isDocument({ kind, declaredType }: Part): boolean {
  return kind.family !== 'doubtful' && /^[a-z0-9].*\/[a-z0-9]/.test(declaredType);
}

function isPlain(encoding = ''): boolean {
  return /^[^a-z0-9]*([78][^a-z0-9]*bits?|binary|none)?[^a-z0-9]*$/i.test(encoding);
}

function partOf(node: MailNode, kind: Kind, section: string): Part {
  const name = nameOf(node);
  return {
    section,
    declaredType: node.type.toLowerCase(),
    kind,
    ...(name ? { name } : {}),
    ...(node.description ? { description: node.description } : {}),
    encoding: (node.encoding ?? '7bit').trim().toLowerCase(),
    size: node.size ?? 0,
    ...(node.ref === undefined ? {} : { ref: node.ref }),
  };
}

function isMultipart(node: MailNode): boolean {
  return node.type.startsWith('multipart/');
}

function numbered(prefix: string, number: number): string {
  return prefix === '' ? String(number) : `${prefix}.${number}`;
}
