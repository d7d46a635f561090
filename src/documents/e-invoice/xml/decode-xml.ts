/** The XML is rejected: too large, with a DTD, or with an unknown or broken encoding. */
export class XmlRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlRefused';
  }
}

const DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,39})["']/;

const WIDE = /^(?:utf-16|ucs-2|iso-10646-ucs-2|unicode$)/;

function encodingWithoutDeclaration(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return 'utf-16be';
  return undefined;
}

/** The encoding by byte order mark, then by the pattern of the first bytes, then by declaration (XML 1.0 appendix F). */
export function xmlEncoding(bytes: Uint8Array): string {
  const certain = encodingWithoutDeclaration(bytes);
  if (certain) return certain;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256)).toString('latin1');
  const declared = DECLARATION.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
  // A declaration in single bytes cannot be UTF-16: programs generate the text in memory and write it to a file in UTF-8.
  return WIDE.test(declared) ? 'utf-8' : declared;
}

/** Bytes to text. Throws `XmlRefused` when the encoding is unknown or a byte does not belong to it. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = xmlEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new XmlRefused(`not readable as ${encoding}: ${cause instanceof Error ? cause.name : 'error'}`);
  }
}

/**
 * Like `decodeXml`, for the beginning of a file: a character that is cut off at the end is ignored, broken ones become
 * U+FFFD, and an unknown encoding is read as Latin-1, which is enough to see the element names.
 */
export function decodeXmlStart(bytes: Uint8Array): string {
  try {
    return new TextDecoder(xmlEncoding(bytes)).decode(bytes, { stream: true });
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}
