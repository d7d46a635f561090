import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { contractDocument } from './contract-document';

const BASE = 'https://docfetch.test/openapi.json';

/**
 * The document with every object closed: clients must tolerate new properties, but our current responses must be in
 * the current document.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isOpenObject =
    typeof copy.properties === 'object' && copy.type !== undefined && !('additionalProperties' in copy);
  return isOpenObject ? { ...copy, unevaluatedProperties: false } : copy;
}

// The document is linted elsewhere; validating its schemas here would compile the meta-schemas, too.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, validateSchema: false });
addFormats(ajv);
ajv.addFormat('byte', /^[A-Za-z0-9+/]*={0,2}$/);
ajv.addFormat('binary', true);
ajv.addSchema({ ...(closed(contractDocument) as object), $id: BASE });

const compiled = new Map<string, ValidateFunction>();

/** Returns the deviations of a value from the schema at a path of the document such as `['components', 'schemas', 'X']`. */
export function schemaViolations(place: readonly string[], value: unknown): string[] {
  const pointer = place.map((name) => encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/');
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${BASE}#/${pointer}` });
  compiled.set(pointer, validate);
  if (validate(value)) return [];
  return validate.errors!.map(({ instancePath, message, params }) => {
    return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
  });
}
