/** One header field as received; text is latin1, so that every byte is preserved. */
export interface HeaderField {
  readonly name: string;
  /** Unfolded (RFC 5322 2.2.3) and trimmed. */
  readonly value: string;
  /** The whole field with name, folding and line end. */
  readonly raw: string;
}

/** A value with parameters: `Content-Type` and `Content-Disposition` (RFC 2045 5.1, RFC 2183). */
export interface Parameterized {
  readonly value: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A header block: the fields, and invalid lines (kept for byte-exact responses only). */
export class MimeHeader {
  readonly fields: readonly HeaderField[];

  constructor(text: string) {
    const fields: HeaderField[] = [];
    for (const raw of text.match(/[^\n]*\n(?:[ \t][^\n]*\n?)*|[^\n]+$/g) ?? []) {
      const colon = raw.indexOf(':');
      if (colon <= 0) continue;
      const name = raw.slice(0, colon).trimEnd();
      const value = raw.slice(colon + 1).replace(/\r?\n(?=[ \t])/g, '');
      fields.push({ name, value: value.trim(), raw });
    }
    this.fields = fields;
  }

  /** The first field with this name, or undefined. */
  get(name: string): string | undefined {
    return this.fields.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value;
  }
}

/**
 * Parses `value; name=text; name="text"` leniently, as real servers do: comments are dropped, a missing quote ends with
 * the field, unquoted values run to the next semicolon, names are compared case-insensitively but keep their spelling.
 */
export function parseParameterized(text: string): Parameterized {
  const pieces = splitOutsideQuotes(text);
  const value = (pieces.shift() ?? '').trim();
  const parameters: [string, string][] = [];
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    if (equals <= 0) continue;
    const name = piece.slice(0, equals).trim();
    const rest = piece.slice(equals + 1).trim();
    const quoted = /^"((?:[^"\\]|\\.)*)"?/s.exec(rest);
    parameters.push([name, quoted ? quoted[1]!.replace(/\\(.)/gs, '$1') : rest]);
  }
  return { value, parameters };
}

function splitOutsideQuotes(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let quoted = false;
  let comment = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === '\\' && (quoted || comment > 0) && index + 1 < text.length) {
      index++;
      if (comment === 0) piece += char + text[index]!;
      continue;
    }
    if (quoted) {
      quoted = char !== '"';
    } else if (comment > 0 || char === '(') {
      comment += char === '(' ? 1 : char === ')' ? -1 : 0;
      continue;
    } else if (char === '"') {
      quoted = true;
    } else if (char === ';') {
      pieces.push(piece);
      piece = '';
      continue;
    }
    piece += char;
  }
  return [...pieces, piece];
}
