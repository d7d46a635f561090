/**
 * The encodings of a name with non-ASCII characters in a header field. The first three follow the standards; the others are
 * wrong but common.
 * - `plain`: a quoted string, ASCII only
 * - `rfc2231`: `filename*=utf-8''R%C3%A4.pdf`
 * - `rfc2231-continued`: the same in sections, `filename*0*=…; filename*1*=…`
 * - `fallback`: an ASCII name and the RFC 2231 one
 * - `rfc2047`: encoded words inside the quotes of a parameter
 * - `rfc2047-unquoted`: an encoded word without quotes
 * - `raw-utf8`, `raw-latin1`: the unencoded bytes
 */
export type NameStyle =
  'plain' | 'rfc2231' | 'rfc2231-continued' | 'fallback' | 'rfc2047' | 'rfc2047-unquoted' | 'raw-utf8' | 'raw-latin1';

/** The encodings of a text in an unstructured field such as Subject. */
export type TextStyle = 'rfc2047' | 'raw-utf8' | 'raw-latin1';

/** The number of characters in each section of a continued name. */
const PIECE = 10;

/** Header parameters with a name, each as `key=value`. Strings contain one byte per character (latin1). */
export function nameParameters(key: string, name: string, style: NameStyle = defaultStyle(name)): string[] {
  switch (style) {
    case 'plain':
      return [`${key}=${quote(name)}`];
    case 'rfc2231':
      return [`${key}*=utf-8''${percent(name)}`];
    case 'rfc2231-continued': {
      const pieces = percent(name).match(new RegExp(`(?:%..|[^%]){1,${PIECE}}`, 'g')) ?? [''];
      return pieces.map((piece, index) => `${key}*${index}*=${index === 0 ? "utf-8''" : ''}${piece}`);
    }
    case 'fallback':
      return [`${key}=${quote(name.replace(/[^\x20-\x7e]/g, '_'))}`, `${key}*=utf-8''${percent(name)}`];
    case 'rfc2047':
      return [`${key}="${encodedWords(name)}"`];
    case 'rfc2047-unquoted':
      return [`${key}=${encodedWords(name, Infinity)}`];
    case 'raw-utf8':
    case 'raw-latin1':
      return [`${key}=${quote(headerText(name, style))}`];
  }
}

/** A text for an unstructured field, one byte per character. */
export function headerText(text: string, style: TextStyle = 'rfc2047'): string {
  if (style === 'raw-utf8') return Buffer.from(text).toString('latin1');
  if (style === 'raw-latin1') return Buffer.from(text, 'latin1').toString('latin1');
  return isAscii(text) ? text : encodedWords(text);
}

/** `"Name" <address>`, with the name as encoded words if necessary. */
export function mailbox(address: string, name?: string): string {
  if (!name) return address;
  return `${isAscii(name) ? quote(name) : encodedWords(name)} <${address}>`;
}

/** Folded encoded words in base64 (RFC 2047), each with at most `limit` bytes of text. */
function encodedWords(text: string, limit = 45): string {
  const words: string[] = [];
  let word = '';
  for (const char of text) {
    if (Buffer.byteLength(word + char) > limit) {
      words.push(word);
      word = '';
    }
    word += char;
  }
  return [...words, word].map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ');
}

function defaultStyle(name: string): NameStyle {
  return isAscii(name) ? 'plain' : 'rfc2231';
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function percent(text: string): string {
  return encodeURIComponent(text).replace(/['()*!~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
