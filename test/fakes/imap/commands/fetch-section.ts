import type { Section } from './fetch-items';
import type { MimePart } from '../messages/mime-tree';
import type { ByteBuffer } from '../protocol/byte-buffer';

/** The bytes to send: a range of the message, or generated ones. */
export type Bytes = { readonly start: number; readonly end: number } | Buffer;

/** The bytes of a section (RFC 3501 6.4.5); undefined when the message has no such part, which is sent as an empty string. */
export function sectionBytes(message: MimePart, content: ByteBuffer, section: Section): Bytes | undefined {
  const part = findPart(message, section.path);
  if (!part) return undefined;
  const whole = section.path.length === 0;
  if (section.text === undefined)
    return whole ? { start: 0, end: content.size } : { start: part.bodyStart, end: part.end };
  if (section.text === 'MIME') return { start: part.headerStart, end: part.bodyStart };
  // HEADER and TEXT of a part exist only when the part is itself a message.
  const subject = whole ? part : part.embedded;
  if (!subject) return undefined;
  if (section.text === 'TEXT') return { start: subject.bodyStart, end: subject.end };
  if (section.text === 'HEADER') return { start: subject.headerStart, end: subject.bodyStart };
  const wanted = new Set(section.fields?.map((name) => name.toLowerCase()));
  const keep = section.text === 'HEADER.FIELDS';
  const fields = subject.header.fields.filter(({ name }) => wanted.has(name.toLowerCase()) === keep);
  return Buffer.from(`${fields.map(({ raw }) => raw).join('')}\r\n`, 'latin1');
}

/** Part numbers count the parts of a multipart; any other message has one part, 1, its body. */
function findPart(message: MimePart, path: readonly number[]): MimePart | undefined {
  let part = message;
  let isMessage = true;
  for (const number of path) {
    if (!isMessage && part.embedded) {
      part = part.embedded;
      isMessage = true;
    }
    const next = part.type === 'multipart' ? part.children[number - 1] : isMessage && number === 1 ? part : undefined;
    if (!next) return undefined;
    part = next;
    isMessage = false;
  }
  return part;
}
