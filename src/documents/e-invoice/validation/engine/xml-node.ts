import { XMLParser } from 'fast-xml-parser';
import { unescapeXml } from '../../xml/unescape-xml';

type RawNode = Record<string, unknown>;

/** An element, or an attribute (`@name`) as a leaf. Elements of other namespaces than the invoice's have names with `{}` in front. */
export class XmlNode {
  readonly children: XmlNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly name: string;
  readonly qualifiedName: string;
  text = '';
  private above: XmlNode | undefined;

  constructor(name: string, qualifiedName: string, parent: XmlNode | undefined) {
    this.name = name;
    this.qualifiedName = qualifiedName;
    this.above = parent;
  }

  get parent(): XmlNode | undefined {
    return this.above;
  }

  /** Makes it the root of its tree. */
  detach(): this {
    this.above = undefined;
    return this;
  }

  /** The element's ancestor-or-self chain from the root, as XPath; a position where several siblings have the name. */
  path(): string {
    if (!this.parent) return `/${this.qualifiedName}`;
    if (this.name.startsWith('@')) return `${this.parent.path()}/${this.qualifiedName}`;
    const alike = this.parent.children.filter((each) => each.qualifiedName === this.qualifiedName);
    const position = alike.length > 1 ? `[${alike.indexOf(this) + 1}]` : '';
    return `${this.parent.path()}/${this.qualifiedName}${position}`;
  }

  hasAncestor(name: string): boolean {
    for (let each = this.parent; each; each = each.parent) if (each.name === name) return true;
    return false;
  }
}

const ATTRIBUTES = ':@';
const TEXT = '#text';
const CDATA = '#cdata';

// Text keeps its white space: some rules count characters.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  cdataPropName: CDATA,
  processEntities: false,
  ignorePiTags: true,
  ignoreDeclaration: true,
  jPath: false,
  maxNestedTags: 64,
});

/** Builds the tree of well-formed XML that `parseXml` has accepted. `vocabulary` tells which namespaces belong to the invoice. */
export function parseTree(xml: string, vocabulary: (namespace: string) => boolean): XmlNode | undefined {
  const raw = (parser.parse(xml) as RawNode[]).find((each) => elementName(each) !== undefined);
  return raw && build(raw, undefined, new Map(), vocabulary);
}

function elementName(raw: RawNode): string | undefined {
  return Object.keys(raw).find((key) => key !== ATTRIBUTES && key !== TEXT && key !== CDATA);
}

function build(
  raw: RawNode,
  parent: XmlNode | undefined,
  outer: ReadonlyMap<string, string>,
  vocabulary: (namespace: string) => boolean,
): XmlNode {
  const qualifiedName = elementName(raw)!;
  const attributes = Object.entries((raw[ATTRIBUTES] ?? {}) as Record<string, string>);
  const prefixes = withDeclarations(attributes, outer);
  const [prefix, local] = split(qualifiedName);
  const known = vocabulary(prefixes.get(prefix) ?? '');
  const node = new XmlNode(known ? local : `{}${local}`, qualifiedName, parent);
  for (const [name, value] of attributes) {
    if (!name.includes(':') && name !== 'xmlns') node.attributes.set(name, unescapeXml(value));
  }
  for (const child of raw[qualifiedName] as RawNode[]) {
    if (TEXT in child) node.text += unescapeXml(String(child[TEXT]));
    else if (CDATA in child) node.text += cdata(child[CDATA]);
    else if (elementName(child)) node.children.push(build(child, node, prefixes, vocabulary));
  }
  if (node.children.length > 0 && node.text.trim() === '') node.text = '';
  return node;
}

function cdata(value: unknown): string {
  return (value as Record<string, string>[]).map((part) => part[TEXT] ?? '').join('');
}

function withDeclarations(
  attributes: readonly (readonly [string, string])[],
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const own = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (own.length === 0) return outer;
  return new Map([...outer, ...own.map(([name, value]) => [name.slice(6), value] as const)]);
}

function split(qualifiedName: string): [prefix: string, local: string] {
  const colon = qualifiedName.indexOf(':');
  return colon < 0 ? ['', qualifiedName] : [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)];
}
