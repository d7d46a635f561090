import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeXml, XmlRefused } from './decode-xml';
import { MAX_XML_BYTES } from '../size-limits';
import { unescapeXml } from './unescape-xml';

/** The maximum depth; EN 16931 needs eleven levels. */
const MAX_DEPTH = 64;
/** The maximum length of a value: no name, number or date of an invoice is longer. */
const MAX_VALUE_LENGTH = 1_000;

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTE = '@';

/** An element as parsed by fast-xml-parser: children by qualified name, attributes with `@`. */
interface RawElement {
  readonly [name: string]: string | RawElement[] | undefined;
}

// Entities are not expanded: without a DTD there are only the five of XML and character references, which `unescapeXml`
// replaces in the few values that are used. Numbers stay strings.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: true,
  cdataPropName: CDATA,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  jPath: false,
  maxNestedTags: MAX_DEPTH,
  processEntities: false,
  ignorePiTags: true,
  ignoreDeclaration: true,
});

/** Throws for any markup declaration (`<!DOCTYPE`, `<!ENTITY`, …) outside comments and CDATA, in linear time. */
function refuseDeclarations(xml: string): void {
  for (let at = xml.indexOf('<!'); at >= 0; at = xml.indexOf('<!', at)) {
    const end = xml.startsWith('<!--', at) ? '-->' : xml.startsWith('<![CDATA[', at) ? ']]>' : undefined;
    if (!end) throw new XmlRefused('a document type or other declaration');
    at = xml.indexOf(end, at + 4);
    if (at < 0) throw new XmlRefused('an unfinished comment or CDATA section');
  }
}

/**
 * The value with its white space collapsed; undefined when it is empty, too long or contains characters that XML does
 * not permit.
 */
function valueOf(raw: string): string | undefined {
  if (raw.length > MAX_VALUE_LENGTH * 2) return undefined;
  const text = unescapeXml(raw).replace(/\s+/g, ' ').trim();
  // eslint-disable-next-line no-control-regex -- the characters that XML 1.0 (2.2) excludes
  if (text === '' || text.length > MAX_VALUE_LENGTH || /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text))
    return undefined;
  return text;
}

/** The maximum length of a text for people, such as a note. */
const MAX_TEXT_LENGTH = 20_000;

/** A text for people with its line breaks, shortened if it is too long, without characters that XML does not permit. */
function paragraphsOf(raw: string): string | undefined {
  const shortened = raw.length > MAX_TEXT_LENGTH ? `${raw.slice(0, MAX_TEXT_LENGTH)} …` : raw;
  const lines = unescapeXml(shortened)
    // eslint-disable-next-line no-control-regex -- the characters that XML 1.0 (2.2) excludes
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? undefined : text;
}

/**
 * An element with the namespace prefixes in its scope. Names are queried without prefix; elements of other namespaces
 * than `vocabulary` are ignored, so that an extension's `x:ID` is never mistaken for the invoice's.
 */
export class XmlElement {
  readonly name: string;
  readonly namespace: string;
  private readonly qualifiedName: string;
  private readonly raw: RawElement;
  private readonly prefixes: ReadonlyMap<string, string>;
  private readonly vocabulary: ReadonlySet<string> | undefined;

  constructor(
    qualifiedName: string,
    raw: RawElement,
    outerPrefixes: ReadonlyMap<string, string>,
    vocabulary: ReadonlySet<string> | undefined,
  ) {
    this.qualifiedName = qualifiedName;
    this.raw = raw;
    this.vocabulary = vocabulary;
    this.prefixes = withDeclarations(raw, outerPrefixes);
    const [prefix, local] = split(qualifiedName);
    this.name = local;
    this.namespace = this.prefixes.get(prefix) ?? '';
  }

  /** The same element, restricted to children of these namespaces. */
  speaking(vocabulary: readonly string[]): XmlElement {
    return new XmlElement(this.qualifiedName, this.raw, this.prefixes, new Set(vocabulary));
  }

  /** The children with this local name, in document order. */
  all(name: string): XmlElement[] {
    const found: XmlElement[] = [];
    for (const [key, elements] of Object.entries(this.raw)) {
      if (!Array.isArray(elements) || split(key)[1] !== name) continue;
      for (const element of elements) {
        const child = new XmlElement(key, element, this.prefixes, this.vocabulary);
        if (!this.vocabulary || this.vocabulary.has(child.namespace)) found.push(child);
      }
    }
    return found;
  }

  /** The first element on a path of local names. */
  first(...path: readonly string[]): XmlElement | undefined {
    return path.reduce<XmlElement | undefined>((here, name) => here?.all(name)[0], this);
  }

  /** The text of the first element on the path; undefined when it is missing, empty or unreadable. */
  text(...path: readonly string[]): string | undefined {
    const content = this.first(...path)?.content();
    return content === undefined ? undefined : valueOf(content);
  }

  /** Its own text for people: of any length, but shortened, with line breaks; undefined when it is empty. */
  paragraphs(): string | undefined {
    const content = this.content();
    return content === undefined ? undefined : paragraphsOf(content);
  }

  /** The text with its references to characters. */
  private content(): string | undefined {
    const text = this.raw[TEXT];
    const cdata = this.raw[CDATA];
    // The order of text and CDATA in a mixed value is lost in parsing; invoices do not contain such values.
    if (Array.isArray(cdata)) return text ? undefined : escapeAmpersands(cdata);
    return typeof text === 'string' ? text : undefined;
  }

  /** An attribute without namespace. */
  attribute(name: string): string | undefined {
    const value = this.raw[ATTRIBUTE + name];
    return typeof value === 'string' ? valueOf(value) : undefined;
  }
}

function escapeAmpersands(sections: readonly RawElement[]): string {
  return sections.map(({ [TEXT]: text }) => (typeof text === 'string' ? text.replaceAll('&', '&amp;') : '')).join('');
}

function split(qualifiedName: string): [prefix: string, local: string] {
  const colon = qualifiedName.indexOf(':');
  return colon < 0 ? ['', qualifiedName] : [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)];
}

function withDeclarations(raw: RawElement, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  let inner: Map<string, string> | undefined;
  for (const [key, value] of Object.entries(raw)) {
    if (typeof value !== 'string' || !key.startsWith('@xmlns')) continue;
    if (key !== '@xmlns' && key[6] !== ':') continue;
    inner ??= new Map(outer);
    inner.set(key.slice(7), value);
  }
  return inner ?? outer;
}

/**
 * Parses well-formed XML without access to the network or files. Throws `XmlRefused`, or the parser's error, for XML
 * over 10 MiB or 64 levels, with a DTD (so no entity can be declared or expanded), or not well-formed.
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  if (bytes.byteLength > MAX_XML_BYTES) throw new XmlRefused('too large');
  const xml = decodeXml(bytes);
  refuseDeclarations(xml);
  const verdict = XMLValidator.validate(xml);
  if (verdict !== true) throw new XmlRefused(`not well-formed: ${verdict.err.code}`);
  const document = parser.parse(xml) as RawElement;
  const roots = Object.entries(document).filter(([, value]) => Array.isArray(value));
  const [name, elements] = roots[0] ?? [];
  const root = Array.isArray(elements) && elements.length === 1 && roots.length === 1 ? elements[0] : undefined;
  if (!name || !root) throw new XmlRefused('not one root element');
  return new XmlElement(name, root, new Map(), undefined);
}
