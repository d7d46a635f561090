import { type Decimal, toDecimal, toDouble } from './exact-decimal';
import { Repeated, Unreadable } from './unreadable';
import { XmlNode } from './xml-node';

const compiled = new Map<string, readonly (readonly string[])[]>();

function stepsOf(path: string): readonly (readonly string[])[] {
  let steps = compiled.get(path);
  if (!steps) compiled.set(path, (steps = path.split('|').map((each) => each.split('/'))));
  return steps;
}

/** The nodes on a path of child names; `@name` is an attribute, `..` the parent, `*` any child, `a|b` a union. */
export function select(from: XmlNode, path: string): readonly XmlNode[] {
  const unions = stepsOf(path);
  if (unions.length === 1) return walk(from, unions[0]!);
  return unions.flatMap((steps) => walk(from, steps));
}

function walk(from: XmlNode, steps: readonly string[]): readonly XmlNode[] {
  let here: readonly XmlNode[] = [from];
  for (const step of steps) {
    const next: XmlNode[] = [];
    for (const node of here) collect(node, step, next);
    if (next.length === 0) return next;
    here = next;
  }
  return here;
}

function collect(node: XmlNode, step: string, into: XmlNode[]): void {
  if (step === '..') {
    if (node.parent) into.push(node.parent);
  } else if (step.startsWith('@')) {
    const value = node.attributes.get(step.slice(1));
    if (value === undefined) return;
    const attribute = new XmlNode(step, step, node);
    attribute.text = value;
    into.push(attribute);
  } else {
    for (const child of node.children) if (step === '*' || child.name === step) into.push(child);
  }
}

export function exists(from: XmlNode, path: string): boolean {
  return select(from, path).length > 0;
}

export function count(from: XmlNode, path: string): number {
  return select(from, path).length;
}

export function normalize(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

/** The only node of a sequence. @throws Repeated */
export function single(nodes: readonly XmlNode[]): XmlNode | undefined {
  if (nodes.length > 1) throw new Repeated(nodes[1]!);
  return nodes[0];
}

/** The text of the only node on the path, empty when there is none. @throws Repeated */
export function text(from: XmlNode, path: string): string {
  return single(select(from, path))?.text ?? '';
}

/** The text with white space normalized. @throws Repeated */
export function normalized(from: XmlNode, path: string): string {
  return normalize(text(from, path));
}

/** Whether some node on the path has exactly this text. */
export function some(from: XmlNode, path: string, value: string): boolean {
  return select(from, path).some((node) => node.text === value);
}

export function decimalIn(node: XmlNode): Decimal {
  return readAs(node, toDecimal);
}

export function doubleIn(node: XmlNode): number {
  return readAs(node, toDouble);
}

function readAs<T>(node: XmlNode, read: (text: string) => T): T {
  try {
    return read(node.text);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.type, node) : error;
  }
}

/** The decimal of the only node on the path. @throws Repeated, Unreadable */
export function decimal(from: XmlNode, path: string): Decimal | undefined {
  const node = single(select(from, path));
  return node && decimalIn(node);
}

export function decimals(from: XmlNode, path: string): Decimal[] {
  return select(from, path).map(decimalIn);
}

export function doubles(from: XmlNode, path: string): number[] {
  return select(from, path).map(doubleIn);
}

/** Whether some boolean on the path has this value. @throws Unreadable */
export function isTrue(from: XmlNode, path: string, value: boolean): boolean {
  return select(from, path).some((node) => booleanIn(node) === value);
}

function booleanIn(node: XmlNode): boolean {
  const found = node.text.trim();
  if (found === 'true' || found === '1') return true;
  if (found === 'false' || found === '0') return false;
  throw new Unreadable('boolean', node);
}

/** Characters after the decimal point; white space counts. */
export function places(value: string): number {
  const point = value.indexOf('.');
  return point < 0 ? 0 : value.length - point - 1;
}
