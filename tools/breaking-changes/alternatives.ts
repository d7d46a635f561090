import { type Document, resolve, type Schema } from './document';

/** A schema of one type, references and combinations resolved. */
export type Alternative = Omit<Schema, 'type' | 'anyOf' | 'oneOf' | 'allOf' | '$ref'> & {
  readonly type: string;
  /** The named schema of origin: a change in it is reported once, not for every operation. */
  readonly origin?: string;
};

/** A schema as the list of its alternatives, each of one type. */
export function alternatives(document: Document, schema: Schema): Alternative[] {
  const { $ref } = schema;
  if ($ref !== undefined) {
    const origin = $ref.slice($ref.lastIndexOf('/') + 1);
    return alternatives(document, resolve<Schema>(document, { $ref })).map((one) => ({ origin, ...one }));
  }
  const { anyOf, oneOf, allOf, type, ...rest } = schema;
  const choices = anyOf ?? oneOf;
  if (choices) return choices.flatMap((choice) => alternatives(document, choice));
  if (allOf) {
    const parts = allOf.map((part) => alternatives(document, part));
    const [first, ...others] = parts;
    if (others.length === 0 && first && Object.keys(rest).every((key) => !STRUCTURAL.includes(key))) return first;
    return [merged([...parts.map((part) => part[0]!), { ...rest, type: 'object' }])];
  }
  const types = type === undefined ? [rest.properties ? 'object' : 'any'] : [type].flat();
  return types.map((one) => ({
    ...rest,
    type: one,
    ...(rest.enum && { enum: rest.enum.filter((value) => (value === null) === (one === 'null')) }),
  }));
}

const STRUCTURAL: readonly string[] = ['properties', 'required', 'additionalProperties', 'items', 'enum'];

function merged(parts: readonly Alternative[]): Alternative {
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Schema['properties'],
    required: parts.flatMap((part) => part.required ?? []),
  } as Alternative;
}
