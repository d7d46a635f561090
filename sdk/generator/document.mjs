import { asOpenApi30, readDocument } from '../openapi-3.0.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Tags of what clients do not call. */
const INTERNAL_TAGS = ['Console'];
/** Pages that a browser opens in the course of an authorization. */
const BROWSER_PATHS = /^\/oauth\//;
/** What the service checks, with messages in the language of the request: an SDK must not be stricter than its service. */
const CONSTRAINTS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

/** openapi.json as the generators need it: the operations of clients, in OpenAPI 3.0, open for values of later versions. */
export function documentForGenerators() {
  const { info, paths: all, components, webhooks, ...rest } = readDocument();
  const paths = Object.fromEntries(Object.entries(all).filter(isForClients));
  const schemas = reachable(components.schemas, [paths, webhooks]);
  return asOpenApi30({
    ...rest,
    // It is repeated in every generated file.
    info: { ...info, description: 'Generated from openapi.json of Docfetch.' },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, opened(ordered(path, item, components.parameters))]),
    ),
    components: { ...components, schemas: opened(schemas, true), examples: undefined },
  });
}

function isForClients([path, item]) {
  const tags = METHODS.flatMap((method) => item[method]?.tags ?? []);
  return !BROWSER_PATHS.test(path) && !tags.some((tag) => INTERNAL_TAGS.includes(tag));
}

/** The schemas to which the given parts of the document refer, directly or through others. */
function reachable(schemas, parts) {
  const found = {};
  const pending = [...parts];
  while (pending.length > 0) {
    for (const [, name] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in found) continue;
      found[name] = schemas[name];
      pending.push(schemas[name]);
    }
  }
  return Object.fromEntries(
    Object.keys(schemas)
      .filter((name) => name in found)
      .map((name) => [name, found[name]]),
  );
}

/** Parameters become arguments: those of the path in its order, then a body, which would follow all others if it were optional. */
function ordered(path, item, shared) {
  const resolve = (parameter) => (parameter.$ref ? shared[parameter.$ref.split('/').at(-1)] : parameter);
  const position = (parameter) => {
    const { in: place, name } = resolve(parameter);
    return place === 'path' ? path.indexOf(`{${name}}`) : path.length;
  };
  const operations = Object.entries(item).map(([method, operation]) => {
    const { parameters, requestBody } = operation;
    const changed = {
      ...(parameters && { parameters: parameters.toSorted((one, other) => position(one) - position(other)) }),
      ...(requestBody && { requestBody: { ...requestBody, required: true } }),
    };
    return [method, { ...operation, ...changed }];
  });
  return Object.fromEntries(operations);
}

/** `inSchemas`: enums that have a name are types that accept unknown values; for others the generators write a check. */
function opened(node, inSchemas = false, depth = 0) {
  if (Array.isArray(node)) return node.map((item) => opened(item, inSchemas, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name, value]) => {
    if (name === 'x-codeSamples' || name === 'examples' || name === 'example') return depth < 2 && inSchemas;
    if (CONSTRAINTS.includes(name)) return typeof value === 'object' && !Array.isArray(value);
    return !(inSchemas && name === 'enum' && depth > 1);
  });
  const copy = Object.fromEntries(entries.map(([name, value]) => [name, opened(value, inSchemas, depth + 1)]));
  if (isJsonOrBytes(copy)) return { 'application/json': copy['application/json'] };
  // A later version may add types of events: any object.
  if (copy.anyOf?.every(({ $ref }) => $ref) && copy.anyOf.length > 1) {
    return { description: copy.description, type: 'object', additionalProperties: true };
  }
  return copy;
}

/** Generators read one kind of content only; the bytes are the handwritten part's. */
const isJsonOrBytes = (content) => 'application/json' in content && 'application/octet-stream' in content;
