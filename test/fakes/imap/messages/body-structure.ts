import { envelope } from './envelope';
import { parseParameterized, type Parameterized } from './mime-header';
import type { MimePart } from './mime-tree';
import type { ByteBuffer } from '../protocol/byte-buffer';
import { nstring, string } from '../protocol/wire-format';

/** BODYSTRUCTURE of an entity, or BODY when `extended` is false (RFC 3501 7.4.2). */
export function bodyStructure(part: MimePart, buffer: ByteBuffer, extended: boolean): string {
  return part.type === 'multipart' ? multipart(part, buffer, extended) : single(part, buffer, extended);
}

/** Replaces the children of a multipart without any: the grammar requires at least one. */
const EMPTY_TEXT = '("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 0 0';

function multipart(part: MimePart, buffer: ByteBuffer, extended: boolean): string {
  const empty = extended ? `${EMPTY_TEXT} NIL NIL NIL NIL)` : `${EMPTY_TEXT})`;
  const children = part.children.map((child) => bodyStructure(child, buffer, extended)).join('') || empty;
  const extension = extended ? ` ${parameters(part.contentType)} ${disposition(part)} ${tail(part)}` : '';
  return `(${children} ${string(spelling(part)[1])}${extension})`;
}

function single(part: MimePart, buffer: ByteBuffer, extended: boolean): string {
  const { header } = part;
  const fields = [
    ...spelling(part).map(string),
    parameters(part.type === 'text' ? withCharset(part.contentType) : part.contentType),
    nstring(header.get('content-id')),
    nstring(header.get('content-description')),
    string(transferEncoding(part)),
    String(part.end - part.bodyStart),
  ];
  if (part.embedded) {
    fields.push(envelope(part.embedded.header), bodyStructure(part.embedded, buffer, extended));
  }
  if (part.embedded || part.type === 'text') fields.push(String(lineCount(part, buffer)));
  if (extended) fields.push(nstring(header.get('content-md5')), disposition(part), tail(part));
  return `(${fields.join(' ')})`;
}

/** The part's Content-Transfer-Encoding in its original spelling; 7bit when it has none (RFC 2045 6.1). */
export function transferEncoding(part: MimePart): string {
  return parseParameterized(part.header.get('content-transfer-encoding') ?? '').value || '7bit';
}

/** Type and subtype in the message's own spelling: clients have to compare them case-insensitively. */
function spelling(part: MimePart): [type: string, subtype: string] {
  const given = part.contentType.value.split('/').map((word) => word.trim());
  const same = given[0]?.toLowerCase() === part.type && given[1]?.toLowerCase() === part.subtype;
  return same ? [given[0]!, given[1]!] : [part.type, part.subtype];
}

/** Text without a charset is us-ascii (RFC 2045 5.2). */
function withCharset(type: Parameterized): Parameterized {
  if (type.parameters.some(([name]) => name.toLowerCase() === 'charset')) return type;
  return { ...type, parameters: [...type.parameters, ['charset', 'us-ascii']] };
}

function parameters({ parameters: list }: Parameterized): string {
  if (list.length === 0) return 'NIL';
  return `(${list.map(([name, value]) => `${string(name)} ${string(value)}`).join(' ')})`;
}

function disposition({ header }: MimePart): string {
  const field = header.get('content-disposition');
  if (!field) return 'NIL';
  const parsed = parseParameterized(field);
  return `(${string(parsed.value)} ${parameters(parsed)})`;
}

function tail({ header }: MimePart): string {
  const languages = header
    .get('content-language')
    ?.split(',')
    .map((language) => string(language.trim()));
  const language = languages ? (languages.length > 1 ? `(${languages.join(' ')})` : languages[0]!) : 'NIL';
  return `${language} ${nstring(header.get('content-location'))}`;
}

function lineCount(part: MimePart, buffer: ByteBuffer): number {
  let count = 0;
  for (const chunk of buffer.read(part.bodyStart, part.end)) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
  }
  return count;
}
