// Writes the repository's openapi.json as OpenAPI 3.0.3 to standard output, for generators that do not know 3.1:
//   node sdk/openapi-3.0.mjs > openapi-3.0.json
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

/** Generators without 3.1 make classes that do not exist of "a text or a number": it becomes "anything". */
const isSimple = (schema) => !schema.$ref && schema.type !== 'object';
const NULL = ({ type }) => type === 'null';

/** A schema that may be null is `nullable` in 3.0; a reference gets a wrapper, because nothing may be beside it. */
function nullable(schema) {
  return schema.$ref ? { allOf: [schema], nullable: true } : { ...schema, nullable: true };
}

function converted(node) {
  if (Array.isArray(node)) return node.map(converted);
  if (typeof node !== 'object' || node === null) return node;
  const { anyOf, oneOf, type, const: only, examples, ...rest } = node;
  const choices = anyOf ?? oneOf;
  if (choices?.every(isSimple) && choices.filter((choice) => !NULL(choice)).length > 1) {
    return converted({ ...rest, ...(choices.some(NULL) && { nullable: true }) });
  }
  if (Array.isArray(choices) && choices.some(NULL)) {
    const others = choices.filter((choice) => !NULL(choice));
    const [first] = others;
    if (others.length > 1) return converted({ ...rest, [anyOf ? 'anyOf' : 'oneOf']: others, nullable: true });
    return converted({ ...rest, ...nullable(first) });
  }
  if (Array.isArray(type)) {
    const others = type.filter((name) => name !== 'null');
    if (others.length > 1) return converted({ ...rest, ...(type.includes('null') && { nullable: true }) });
    return converted({ ...node, type: others[0], ...(type.includes('null') && { nullable: true }) });
  }
  if (only !== undefined && typeof only !== 'object') return converted({ ...rest, type, enum: [only] });
  if (Array.isArray(examples))
    return converted({ example: examples[0], ...rest, type, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) });
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, converted(value)]));
}

/** The same document as OpenAPI 3.0.3, without the messages under `webhooks`, which 3.0 does not know. */
export function asOpenApi30(document) {
  const rest = { ...document };
  delete rest.webhooks;
  delete rest.jsonSchemaDialect; // cspell:disable-line -- the name in OpenAPI 3.1
  return { ...converted(rest), openapi: '3.0.3' };
}

export const readDocument = () => JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(asOpenApi30(readDocument()), null, 2)}\n`);
}
