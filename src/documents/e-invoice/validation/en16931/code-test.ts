import { normalize } from '../engine/select';
import { type Condition, type Selector, test, type Test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

export const attribute = (name: string) => (node: XmlNode) => node.attributes.get(name);

/** The value, or an attribute, is a code of the list. */
export function code(
  at: Selector,
  list: ReadonlySet<string>,
  of: (node: XmlNode) => string | undefined = (node) => node.text,
): Test {
  return test(at, 'code', (node) => list.has(normalize(of(node) ?? '')));
}

export const having =
  (name: string, where?: Condition): Condition =>
  (node, invoice) =>
    node.attributes.has(name) && (where === undefined || where(node, invoice));
