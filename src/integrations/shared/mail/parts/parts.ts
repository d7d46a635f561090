import { hasDocumentExtension, kindOf, kindOfAttached, type Kind, PGP } from './document-kinds';

/** A part of a mail's tree (RFC 2045), documents or not. Types are in lower case; names are decoded. */
export interface MailNode {
  readonly type: string;
  /** Of a multipart, or the one body of a mail within the mail. */
  readonly childNodes?: readonly MailNode[];
  readonly disposition?: string;
  readonly dispositionParameters?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** Its Content-ID. */
  readonly id?: string;
  readonly encoding?: string;
  /** Bytes as the source counts them. */
  readonly size?: number;
  /** What the source finds the part by, where that is not its section number. */
  readonly ref?: string;
}

/** A part of a mail that is a document. */
export interface Part {
  /** The section number for FETCH (RFC 9051 section 6.4.5.1). */
  readonly section: string;
  /** As the mail says, not as it is delivered. */
  readonly declaredType: string;
  readonly kind: Kind;
  /** The name as the mail has it, decoded; may be missing. */
  readonly name?: string;
  readonly description?: string;
  readonly encoding: string;
  /** Bytes as the source counts them; in IMAP as transferred, still encoded. */
  readonly size: number;
  readonly ref?: string;
}

/** What is around a part. */
interface PartContext {
  /** The type of the multipart around it. */
  readonly within: string;
  /** Whether its mail has a text in HTML: nothing else refers to a Content-ID (RFC 2392). */
  readonly hasHtml: boolean;
}

interface PartPosition extends PartContext {
  readonly section: string;
  readonly depth: number;
}

/** These are never part of a mail's text. */
const ALWAYS_ATTACHED: ReadonlySet<Kind['family']> = new Set([
  'pdf',
  'zip',
  'cms',
  'tnef',
  'encrypted',
  'mail',
  'unknown',
]);
/** Images of at most this many encoded bytes that are shown in the text are logos, not documents. */
const LOGO_BYTES = 64 * 1024;
/** A mail nested deeper than this is an attack or a mistake. */
const MAX_DEPTH = 50;

/**
 * The documents among the parts of a mail, in order. Forwarded mails (message/rfc822) are looked into. Sections are
 * counted here, because BODYSTRUCTURE does not tell them: the body of a nested mail without multipart is `n.1`.
 */
export function documentParts(structure: MailNode): Part[] {
  return [...body(structure, '', 0)];
}

/** The body of a whole mail, the outer one or a nested one, whose own section is `prefix`. */
function* body(node: MailNode, prefix: string, depth: number): Generator<Part, void> {
  const place = { section: prefix, within: '', hasHtml: hasHtml(node, depth), depth };
  if (isMultipart(node)) yield* children(node, place);
  else yield* part(node, { ...place, section: numbered(prefix, 1) });
}

function* children(node: MailNode, { section, hasHtml, depth }: PartPosition): Generator<Part, void> {
  for (const [index, child] of (node.childNodes ?? []).entries()) {
    yield* part(child, { section: numbered(section, index + 1), within: node.type, hasHtml, depth: depth + 1 });
  }
}

/** In the mail itself, not in one that it forwards. */
function hasHtml(node: MailNode, depth: number): boolean {
  if (!isMultipart(node)) return node.type.toLowerCase() === 'text/html';
  return depth <= MAX_DEPTH && (node.childNodes ?? []).some((child) => hasHtml(child, depth + 1));
}

function* part(node: MailNode, place: PartPosition): Generator<Part, void> {
  if (place.depth > MAX_DEPTH) return;
  if (isMultipart(node)) return yield* children(node, place);
  const [nested] = node.childNodes ?? [];
  if (nested) return yield* body(nested, place.section, place.depth + 1);
  const name = nameOf(node);
  const kind = kindOfPart(node, place);
  if (!kind) return;
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

/** What a part without parts is; undefined when it is no document. */
export function kindOfPart(node: MailNode, around: PartContext): Kind | undefined {
  // Of its two parts the other one tells the version.
  if (around.within === 'multipart/encrypted' && node.type.toLowerCase() === 'application/octet-stream') return PGP;
  const kind = (isFile(node, around) ? kindOfAttached : kindOf)(
    node.type.toLowerCase(),
    nameOf(node) ?? node.description,
  );
  return kind && isAttached(node, kind, around) ? kind : undefined;
}

/** Certainly no part of the text: what says of itself nothing at all is to be saved as a file (RFC 2046 section 4.5.1, RFC 2183 section 2.8). */
function isFile({ disposition, id }: MailNode, { within }: PartContext): boolean {
  return disposition === 'attachment' || (disposition !== 'inline' && within !== 'multipart/related' && !id);
}

/** The name of a part (RFC 2183 section 2.3), or that of its type where only this one tells what it is. An empty name is none. */
export function nameOf({
  dispositionParameters,
  parameters,
}: Pick<MailNode, 'dispositionParameters' | 'parameters'>): string | undefined {
  const names = [dispositionParameters?.['filename'], parameters?.['name']].filter((name) => name?.trim());
  return names.find(hasDocumentExtension) ?? names[0];
}

/**
 * An attached document, or something that belongs to the mail's text? Only images and nameless XML are in doubt: logos
 * are referenced by Content-ID, lie in multipart/related or are small and inline; photos of receipts are not, and no fax is.
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
