import type { Metadata } from '../../../../documents/metadata';
import type { DocumentRef, Json } from '../../../core/source-document';
import { contentId } from '../parts/body-html';
import { HTML } from '../parts/kinds/kinds';
import { documentKey } from './mail-metadata';
import type { MailHeaders } from '../parts/encoding/mail-headers';
import { nameParts } from '../parts/part-names';
import { type MailNode, nameOf } from '../parts/mail-node';
import type { MailRef } from '../parts/renditions';

/** The data needed to fetch a part of a mail. */
type Section = {
  readonly section: string;
  readonly encoding: string;
  readonly size: number;
  readonly mimeType: string;
  /** As in `MailNode`. */
  readonly ref?: string;
};

/** Locates a mail's text and the images that it may show. */
export type MailText = Section & {
  readonly kind: 'html' | 'text';
  readonly charset: string;
  readonly images: readonly (Section & { readonly id: string })[];
};

const MAX_IMAGES = 40;
const MAX_DEPTH = 50;

interface Leaf {
  readonly node: MailNode;
  readonly section: string;
}

/** The text of a mail: HTML, else plain text. Attached texts and forwarded mails do not count. */
export function textOf(structure: MailNode): MailText | undefined {
  const leaves = [...leavesOf(structure, '', 0)];
  const texts = leaves.filter(({ node }) => isShown(node));
  const html = texts.find(({ node }) => node.type.toLowerCase() === 'text/html');
  const shown = html ?? texts.find(({ node }) => node.type.toLowerCase() === 'text/plain');
  if (!shown) return undefined;
  const images = leaves.filter(({ node }) => node.id && node.type.toLowerCase().startsWith('image/'));
  return {
    ...sectionOf(shown),
    kind: html ? 'html' : 'text',
    charset: (shown.node.parameters?.['charset'] ?? '').toLowerCase().slice(0, 40),
    images: images.slice(0, MAX_IMAGES).map((leaf) => ({ ...sectionOf(leaf), id: contentId(leaf.node.id!) })),
  };
}

/** The text of a mail as a document. `part` distinguishes it from other parts of the mail. */
export function textDocument(
  headers: Pick<MailHeaders, 'key' | 'subject'>,
  part: readonly (string | number)[],
  source: Metadata['source'],
  locator: Json,
): DocumentRef {
  return {
    dedupeKey: documentKey(headers, ['text', ...part]),
    externalId: null,
    filename: nameParts([{ kind: HTML }], headers.subject)[0]!,
    metadata: { source },
    locator,
  };
}

/** Removes the texts of mails that have other documents, which is known only after extracting attached containers. */
export function dropRedundantTexts(
  documents: readonly DocumentRef[],
  placeOf: (ref: DocumentRef) => MailRef,
  isText: (ref: DocumentRef) => boolean,
): DocumentRef[] {
  const withOthers = new Set(documents.filter((ref) => !isText(ref)).map((ref) => placeOf(ref).mail));
  return documents.filter((ref) => !isText(ref) || !withOthers.has(placeOf(ref).mail));
}

/** The leaf parts outside of forwarded mails. */
function* leavesOf(node: MailNode, section: string, depth: number): Generator<Leaf> {
  if (depth > MAX_DEPTH) return;
  if (!node.type.startsWith('multipart/')) {
    if (!node.childNodes?.length) yield { node, section: section || '1' };
    return;
  }
  for (const [at, child] of (node.childNodes ?? []).entries())
    yield* leavesOf(child, section === '' ? String(at + 1) : `${section}.${at + 1}`, depth + 1);
}

function isShown(node: MailNode): boolean {
  return node.disposition !== 'attachment' && nameOf(node) === undefined && (node.size ?? 0) > 0;
}

function sectionOf({ node, section }: Leaf): Section {
  return {
    section,
    encoding: (node.encoding ?? '7bit').trim().toLowerCase(),
    size: node.size ?? 0,
    mimeType: node.type.toLowerCase(),
    ...(node.ref === undefined ? {} : { ref: node.ref }),
  };
}
