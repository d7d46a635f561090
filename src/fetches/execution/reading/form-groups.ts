import type { DocumentRef } from '../../../integrations/core/source-document';

/** More documents are not kept together, so that commits stay small. */
const MAX_GROUP = 50;
/** Each is downloaded once more for the comparison. */
const MAX_NAMESAKES = 5;

/**
 * Splits the new documents of a page into groups, each of which is committed at once, because they may be forms of one invoice
 * (ADR 18): a PDF and the XML that it was listed with, and files of one folder that differ only in their extension. In folders, whose
 * files have no order, XML comes first, so that it is the document when a PDF of another name shows the same invoice.
 * Otherwise the order is kept. Nothing is downloaded here.
 */
export function formGroups(refs: readonly DocumentRef[]): (readonly DocumentRef[])[] {
  const groupOf = new Map<string, DocumentRef[]>();
  for (const ref of withNamesakes(refs)) {
    const related = (ref.renditionOf ?? []).flatMap(({ dedupeKey }) => groupOf.get(dedupeKey) ?? []);
    const members = [...new Set(related), ref];
    const group = members.length <= MAX_GROUP ? members : [ref];
    for (const { dedupeKey } of group) groupOf.set(dedupeKey, group);
  }
  const groups = [...new Set(groupOf.values())];
  const isFirst = (group: readonly DocumentRef[]) =>
    group.some((ref) => isInFolder(ref) && extensionOf(ref.filename) === 'xml');
  return [...groups.filter(isFirst), ...groups.filter((group) => !isFirst(group))];
}

/** Batches of about `size` documents that do not split a group. Without documents, one empty batch. */
export function batchesOf(groups: readonly (readonly DocumentRef[])[], size: number): (readonly DocumentRef[])[] {
  const batches: DocumentRef[][] = [[]];
  for (const group of groups) {
    const last = batches.at(-1)!;
    if (last.length > 0 && last.length + group.length > size) batches.push([...group]);
    else last.push(...group);
  }
  return batches;
}

/** Adds to PDFs in a folder the XML files with the same path but for the extension, and lists these before them. */
function withNamesakes(refs: readonly DocumentRef[]): DocumentRef[] {
  const isFile = ({ metadata, renditionOf }: DocumentRef) =>
    metadata.source?.kind !== 'mail' && renditionOf === undefined;
  const xmlByStem = Map.groupBy(
    refs.filter((ref) => isFile(ref) && extensionOf(ref.filename) === 'xml'),
    stemOf,
  );
  if (xmlByStem.size === 0) return [...refs];
  const named = refs.map((ref) => {
    const namesakes = isFile(ref) && extensionOf(ref.filename) === 'pdf' ? xmlByStem.get(stemOf(ref)) : undefined;
    return namesakes ? { ...ref, renditionOf: namesakes.slice(0, MAX_NAMESAKES) } : ref;
  });
  return [...named.filter((ref) => !ref.renditionOf), ...named.filter((ref) => ref.renditionOf)];
}

function isInFolder({ metadata }: DocumentRef): boolean {
  return metadata.source?.kind === 'file';
}

function extensionOf(filename: string): string {
  return /\.([^./]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

/** The path without the extension; names differ in case and Unicode form between programs. */
function stemOf(ref: DocumentRef): string {
  const path = ref.metadata.source?.path;
  const whole = isInFolder(ref) && path !== undefined ? path : `${path ?? ''}/${ref.filename}`;
  return whole
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[^./]*$/, '');
}
