import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit';
import libmime from 'libmime';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { unicodeOf } from '../shared/mail/parts/encoding/mail-headers';
import type { MailNode } from '../shared/mail/parts/mail-node';

/** The header block of a mail, and its MIME tree; null when it cannot be read. The `ref` of a leaf is its range of bytes. */
export interface MailStructure {
  readonly headers: Buffer;
  readonly root: MailNode | null;
}

/** The first and the last byte of a part in the message; empty parts have none. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A node whose children and body have been read so far. */
interface OpenNode {
  readonly node: Omit<MailNode, 'childNodes' | 'size' | 'ref'>;
  readonly children: OpenNode[];
  start: number;
  /** Exclusive. */
  end: number;
}

/** The maximum number of parts of a mail. */
const MAX_PARTS = 1_000;

/**
 * Reads the structure of a whole message, which describes it like BODYSTRUCTURE (RFC 9051 section 7.5.2). Memory does not depend on
 * its size. @throws what the stream throws
 */
export async function readStructure(message: Readable): Promise<MailStructure> {
  const splitter = new Splitter({ defaultInlineEmbedded: true, maxChildNodes: MAX_PARTS });
  let sourceError: unknown;
  message.once('error', (error) => (sourceError = error));
  pipeline(message, splitter, () => undefined); // both fail together, and the loop reports it
  const nodes = new Map<MimeNode, OpenNode>();
  let root: OpenNode | undefined;
  let headers: Buffer = Buffer.alloc(0);
  let position = 0;
  try {
    for await (const chunk of splitter as AsyncIterable<SplitterChunk>) {
      if (chunk.type !== 'node') {
        const bytes = chunk.value?.length ?? 0;
        const open = chunk.type === 'body' ? nodes.get(chunk.node) : undefined;
        if (open) extend(open, position, bytes);
        position += bytes;
        continue;
      }
      const block = chunk.getHeaders();
      position += block.length;
      const open: OpenNode = { node: describe(block), children: [], start: position, end: position };
      nodes.set(chunk, open);
      if (root) (nodes.get(chunk.parentNode as MimeNode) ?? root).children.push(open);
      else [root, headers] = [open, block];
    }
  } catch (error) {
    if (sourceError !== undefined) throw error;
    return { headers, root: null };
  }
  return { headers, root: root ? complete(root) : null };
}

/** The range that a `ref` of {@link readStructure} states. */
export function rangeOf(ref: string): ByteRange | null {
  const [start, end] = ref.split('-').map(Number);
  return start === undefined || end === undefined || end < start ? null : { start, end };
}

function extend(open: OpenNode, position: number, bytes: number): void {
  if (open.start === open.end) open.start = position;
  open.end = position + bytes;
}

function describe(block: Buffer): OpenNode['node'] {
  const headers = libmime.decodeHeaders(unicodeOf(block, 'windows-1252'));
  const parsed = (name: string) => libmime.parseHeaderValue(headers[name]?.[0] ?? '');
  const first = (name: string) => headers[name]?.[0]?.trim();
  const [type, disposition] = [parsed('content-type'), parsed('content-disposition')];
  const description = first('content-description');
  const id = first('content-id');
  return {
    type: type.value.toLowerCase().trim() || 'text/plain',
    parameters: type.params,
    dispositionParameters: disposition.params,
    ...(disposition.value && { disposition: disposition.value.toLowerCase().trim() }),
    ...(description && { description }),
    ...(id && { id }),
    encoding: (first('content-transfer-encoding') ?? '7bit').replace(/\(.*\)/, '').trim(),
  };
}

function complete({ node, children, start, end }: OpenNode): MailNode {
  if (children.length > 0) return { ...node, childNodes: children.map(complete) };
  return { ...node, size: end - start, ref: `${start}-${end - 1}` };
}
