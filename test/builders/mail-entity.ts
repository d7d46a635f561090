import { createHash } from 'node:crypto';
import { encode, type Piece } from './mail-encoding';

/** A part: its header (one byte per character) and its body. */
export interface Entity {
  readonly header: readonly string[];
  readonly body: readonly Piece[];
}

/** A text part with CRLF; quoted-printable when it is not plain ASCII. */
export function text(subtype: string, content: string): Entity {
  const lines = content.replace(/\r?\n/g, '\r\n');
  const simple = /^[\t\r\n -~]*$/.test(lines) && !/[^\n]{999}/.test(lines);
  const encoding = simple ? '7bit' : 'quoted-printable';
  const header = [`Content-Type: text/${subtype}; charset=utf-8`, `Content-Transfer-Encoding: ${encoding}`];
  return { header, body: [encode(lines, encoding)] };
}

/** The boundary is derived from the parts, so that it is stable for one mail and different inside another. */
export function multipart(subtype: string, parts: readonly Entity[], closed = true): Entity {
  const boundary = `=_${digest(...parts)}`;
  const body = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), ...serialize(part), Buffer.from('\r\n')]);
  const end = Buffer.from(`--${boundary}--\r\n`);
  return {
    header: [`Content-Type: multipart/${subtype};\r\n boundary="${boundary}"`],
    body: closed ? [...body, end] : body,
  };
}

/** The serialized part: header, empty line, body. */
export function serialize({ header, body }: Entity): Piece[] {
  return [Buffer.from(`${header.join('\r\n')}\r\n\r\n`, 'latin1'), ...body];
}

/** A header field with its parameters, one per line. */
export function parameters(field: string, list: readonly string[]): string {
  return [field, ...list].join(';\r\n ');
}

/** A short hash of parts; lazy bytes count by their size only. */
export function digest(...entities: readonly Entity[]): string {
  const hash = createHash('sha256');
  for (const piece of entities.flatMap(serialize)) hash.update(Buffer.isBuffer(piece) ? piece : String(piece.size));
  return hash.digest('hex').slice(0, 24);
}

/** Base64 with invalid characters in the middle and without its last characters. */
export function damaged(piece: Piece): Piece {
  if (!Buffer.isBuffer(piece)) throw new Error('Lazy bytes cannot be damaged');
  const middle = Math.floor(piece.length / 2);
  return Buffer.concat([piece.subarray(0, middle), Buffer.from('*!?\r\n.'), piece.subarray(middle, -3)]);
}
