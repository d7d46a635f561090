import { MimeHeader, parseParameterized, type Parameterized } from './mime-header';
import type { ByteBuffer } from '../protocol/byte-buffer';

/** One entity of a message (RFC 2045): the positions of its header and body in the message, and its children. */
export interface MimePart {
  readonly header: MimeHeader;
  readonly headerStart: number;
  readonly bodyStart: number;
  readonly end: number;
  /** Lower case. */
  readonly type: string;
  readonly subtype: string;
  readonly contentType: Parameterized;
  /** The parts of a multipart. */
  readonly children: readonly MimePart[];
  /** The message inside a message/rfc822 part. */
  readonly embedded?: MimePart;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Without its line end; null when it reaches into lazy bytes, which by definition contain no boundary. */
  readonly text: string | null;
  readonly eol: number;
}

interface Stop {
  readonly depth: number;
  readonly final: boolean;
  readonly start: number;
  /** Length of the line end before the boundary, which belongs to the boundary (RFC 2046 5.1.1). */
  readonly eol: number;
}

/** Splits a message into its entities; bodies are not copied. Broken nesting is parsed as far as possible and never rejected. */
export function parseMessage(buffer: ByteBuffer): MimePart {
  return new MimeReader(buffer).part([], 'text/plain').part;
}

class MimeReader {
  private position = 0;
  private lastEol = 0;

  constructor(private readonly buffer: ByteBuffer) {}

  part(boundaries: readonly string[], defaultType: string): { part: MimePart; stop?: Stop } {
    const headerStart = this.position;
    const { header, stop: early } = this.header(boundaries);
    const headerEnd = this.position;
    const contentType = parseParameterized(header.get('content-type') ?? defaultType);
    const [type = 'text', subtype = 'plain'] = /^[^\s/;]+\/[^\s/;]+/.test(contentType.value)
      ? contentType.value.toLowerCase().split(/[/\s;]/)
      : defaultType.split('/');
    const boundary = contentType.parameters.find(([name]) => name.toLowerCase() === 'boundary')?.[1].trimEnd();
    const children: MimePart[] = [];
    let embedded: MimePart | undefined;
    let stop = early;
    if (!early && type === 'multipart' && boundary) {
      stop = this.children([...boundaries, boundary], subtype === 'digest' ? 'message/rfc822' : 'text/plain', children);
    } else if (!early && type === 'message' && subtype === 'rfc822') {
      ({ part: embedded, stop } = this.part(boundaries, 'text/plain'));
    } else if (!early) {
      stop = this.skip(boundaries);
    }
    const end = stop ? Math.max(headerStart, stop.start - stop.eol) : this.buffer.size;
    const bodyStart = Math.min(headerEnd, end);
    const part = { header, headerStart, bodyStart, end, type, subtype, contentType, children };
    return { part: embedded ? { ...part, embedded } : part, stop };
  }

  private children(boundaries: readonly string[], defaultType: string, into: MimePart[]): Stop | undefined {
    const own = boundaries.length - 1;
    let stop = this.skip(boundaries);
    while (stop && stop.depth === own && !stop.final) {
      const child = this.part(boundaries, defaultType);
      into.push(child.part);
      stop = child.stop;
    }
    return stop?.depth === own ? this.skip(boundaries.slice(0, own)) : stop;
  }

  private header(boundaries: readonly string[]): { header: MimeHeader; stop?: Stop } {
    const start = this.position;
    for (let line = this.line(); line; line = this.line()) {
      const stop = this.boundary(line, boundaries);
      if (stop) return { header: this.headerText(start, line.start), stop };
      this.lastEol = line.eol;
      if (line.text === '') return { header: this.headerText(start, line.start) };
    }
    return { header: this.headerText(start, this.position) };
  }

  private headerText(start: number, end: number): MimeHeader {
    return new MimeHeader(this.buffer.bytes(start, end).toString('latin1'));
  }

  private skip(boundaries: readonly string[]): Stop | undefined {
    for (let line = this.line(); line; line = this.line()) {
      const stop = this.boundary(line, boundaries);
      if (stop) return stop;
      this.lastEol = line.eol;
    }
    return undefined;
  }

  private boundary(line: Line, boundaries: readonly string[]): Stop | undefined {
    if (!line.text?.startsWith('--')) return undefined;
    const text = line.text.trimEnd();
    for (let depth = boundaries.length - 1; depth >= 0; depth--) {
      const open = `--${boundaries[depth]!}`;
      if (text !== open && text !== `${open}--`) continue;
      return { depth, final: text !== open, start: line.start, eol: this.lastEol };
    }
    return undefined;
  }

  private line(): Line | undefined {
    const start = this.position;
    if (start >= this.buffer.size) return undefined;
    let opaque = false;
    for (const segment of this.buffer.segments) {
      if (segment.end <= this.position) continue;
      if (!Buffer.isBuffer(segment.bytes)) {
        opaque = true;
        this.position = segment.end;
        continue;
      }
      const from = this.position - segment.start;
      const newline = segment.bytes.indexOf(10, from);
      if (newline < 0) {
        this.position = segment.end;
        if (opaque || segment.end < this.buffer.size) continue;
        return { start, end: segment.end, text: segment.bytes.toString('latin1', from), eol: 0 };
      }
      this.position = segment.start + newline + 1;
      const eol = newline > from && segment.bytes[newline - 1] === 13 ? 2 : 1;
      const text = opaque ? null : segment.bytes.toString('latin1', from, newline + 1 - eol);
      return { start, end: this.position, text, eol };
    }
    return { start, end: this.position, text: null, eol: 0 };
  }
}
