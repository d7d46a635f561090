import type { FormatError } from '../engine/format-errors';
import type { InvoiceDocument, Syntax } from '../engine/invoice-document';
import type { XmlNode } from '../engine/xml-node';
import { CONTENT_MODELS, type ContentModel } from './content-models';
import { dataTypeOf } from './data-types';

/** Something that the schema of the syntax does not allow. */
export interface StructureError {
  readonly error: FormatError;
  readonly node: XmlNode;
  /** The element or attribute that is missing or not allowed. */
  readonly name?: string;
}

/**
 * Compares an invoice with the schema of its syntax: children, their order and how often they occur, attributes, data types. The
 * content of elements that EN 16931 does not use is not compared.
 */
export function* structureErrors({ root, syntax }: InvoiceDocument): Generator<StructureError> {
  const model = CONTENT_MODELS[syntax].get(root.name);
  if (model) yield* elementErrors(root, model, syntax);
}

function* elementErrors(node: XmlNode, model: ContentModel, syntax: Syntax): Generator<StructureError> {
  for (const name of node.attributes.keys()) yield { error: 'attribute', node, name };
  if (node.text.trim() !== '') yield { error: 'text', node };
  yield* sequenceErrors(node, model);
  for (const child of node.children) {
    const known = model.children.get(child.name);
    if (!known || known.opaque) continue;
    const content = CONTENT_MODELS[syntax].get(child.name);
    yield* content ? elementErrors(child, content, syntax) : valueErrors(child, syntax);
  }
}

function* sequenceErrors(node: XmlNode, { choice, children }: ContentModel): Generator<StructureError> {
  const found = new Set<string>();
  let last = 0;
  let inOrder = true;
  for (const child of node.children) {
    const known = children.get(child.name);
    if (!known) yield { error: 'unknown', node: child };
    else if (found.has(child.name) ? !known.repeatable : choice && found.size > 0)
      yield { error: 'repeated', node: child };
    else if (known.position < last && inOrder) {
      yield { error: 'order', node: child };
      inOrder = false;
    }
    if (!known) continue;
    found.add(child.name);
    last = Math.max(last, known.position);
  }
  if (choice) {
    if (found.size === 0) yield { error: 'missing', node, name: [...children.keys()][0]! };
    return;
  }
  for (const { name, required } of children.values()) {
    if (required && !found.has(name)) yield { error: 'missing', node, name: name.replace('{}', '') };
  }
}

function* valueErrors(node: XmlNode, syntax: Syntax): Generator<StructureError> {
  for (const child of node.children) yield { error: 'unknown', node: child };
  const { attributes, required, error, allows } = dataTypeOf(node.name, syntax);
  for (const name of node.attributes.keys()) if (!attributes.has(name)) yield { error: 'attribute', node, name };
  if (required !== undefined && !node.attributes.has(required)) {
    yield { error: 'attribute_missing', node, name: required };
  }
  if (error && allows && !allows(node.text)) yield { error, node };
}
