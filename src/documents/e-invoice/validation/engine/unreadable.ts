import type { XmlNode } from './xml-node';

/** The data types of the schemas that the rules calculate with. */
export type DataType = 'decimal' | 'date' | 'boolean';

/** A value that its data type does not allow: no rule can be evaluated with it, and the schema does not allow it either. */
export class Unreadable extends Error {
  readonly type: DataType;
  readonly node: XmlNode | undefined;

  constructor(type: DataType, node?: XmlNode) {
    super(`not a ${type}`);
    this.name = 'Unreadable';
    this.type = type;
    this.node = node;
  }
}

/** An element occurs more often than the schema and the rules allow. */
export class Repeated extends Error {
  readonly node: XmlNode;

  constructor(node: XmlNode) {
    super('repeated');
    this.name = 'Repeated';
    this.node = node;
  }
}
