import type { XmlNode } from './xml-node';

export type Syntax = 'UBL' | 'CII';

const NONE: readonly XmlNode[] = [];

/** An invoice whose elements can be found by name, with room for sums that several rules need. */
export class InvoiceDocument {
  private readonly byName = new Map<string, XmlNode[]>();
  private readonly remembered = new Map<string, unknown>();
  /** Every attribute name that occurs, with the elements that have it. */
  private readonly byAttribute = new Map<string, XmlNode[]>();

  readonly root: XmlNode;
  readonly syntax: Syntax;

  constructor(root: XmlNode, syntax: Syntax) {
    this.root = root;
    this.syntax = syntax;
    this.index(root);
  }

  private index(node: XmlNode): void {
    append(this.byName, node.name, node);
    for (const name of node.attributes.keys()) append(this.byAttribute, name, node);
    for (const child of node.children) this.index(child);
  }

  /** All elements with this name, in document order. */
  named(name: string): readonly XmlNode[] {
    return this.byName.get(name) ?? NONE;
  }

  withAttribute(name: string): readonly XmlNode[] {
    return this.byAttribute.get(name) ?? NONE;
  }

  /** All elements whose names end so, in any namespace. */
  endingWith(suffix: string): readonly XmlNode[] {
    return [...this.byName].filter(([name]) => name.endsWith(suffix)).flatMap(([, nodes]) => nodes);
  }

  /** Calculates a value once for all rules. */
  once<T>(key: string, calculate: () => T): T {
    if (!this.remembered.has(key)) this.remembered.set(key, calculate());
    return this.remembered.get(key) as T;
  }
}

function append(map: Map<string, XmlNode[]>, key: string, node: XmlNode): void {
  const nodes = map.get(key);
  if (nodes) nodes.push(node);
  else map.set(key, [node]);
}
