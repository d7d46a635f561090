import type { OpenAPIObject } from '@nestjs/swagger';
import { isDeepStrictEqual } from 'node:util';
import { isRef, operationsOf, type Response, type Schema } from './openapi-document';

const SCHEMA_REF_PREFIX = '#/components/schemas/';

/** The name of a class in the document: `ConnectionView` → `Connection`, `CreateConnectionDto` → `CreateConnectionRequest`. */
const publicName = (name: string) => name.replace(/View$/, '').replace(/Dto$/, 'Request');

/**
 * Gives schemas the public names that generated clients use, and sorts them.
 * @throws Error when two classes would get the same name: set another name with `@ApiSchema`
 */
export function nameSchemas(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(document.components?.schemas ?? {});
  const taken = new Map<string, string>();
  for (const name of names) {
    const other = taken.get(publicName(name));
    if (other) throw new Error(`${name} and ${other} would both be the schema ${publicName(name)}`);
    taken.set(publicName(name), name);
  }
  const renamed = renameRefs(document) as OpenAPIObject;
  const schemas = Object.entries(renamed.components?.schemas ?? {}).map(
    ([name, schema]) => [publicName(name), schema] as const,
  );
  schemas.sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(schemas) } };
}

function renameRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(renameRefs);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMA_REF_PREFIX)
        ? SCHEMA_REF_PREFIX + publicName(value.slice(SCHEMA_REF_PREFIX.length))
        : renameRefs(value),
    ]),
  );
}

/**
 * Creates a named schema for every success body `{"data": …}`: `ConnectionResponse`, and `ConnectionPage` for a list, so that a
 * generated client has one type for each instead of one per operation.
 */
export function nameEnvelopes(document: OpenAPIObject): void {
  const schemas = (document.components!.schemas ??= {});
  const media = operationsOf(document.paths)
    .flatMap(({ operation }) => Object.values(operation.responses) as Response[])
    .flatMap((response) => response.content?.['application/json'] ?? []);
  const [feeds, others] = [media.filter(isFeed), media.filter((each) => !isFeed(each))];
  for (const each of [...feeds, ...others]) {
    if (!each.schema || isRef(each.schema)) continue;
    const named = envelopeOf(each.schema);
    if (!named) continue;
    // A list of what a feed has too: another type, because its pages have no `poll_cursor`.
    const isTaken = named.name in schemas && !isDeepStrictEqual(schemas[named.name], named.schema);
    const name = isTaken ? named.name.replace(/Page$/, 'List') : named.name;
    schemas[name] = named.schema;
    each.schema = { $ref: SCHEMA_REF_PREFIX + name };
  }
}

const isFeed = ({ schema }: { schema?: unknown }): boolean => JSON.stringify(schema ?? {}).includes('/FeedMeta"');

function envelopeOf(schema: Schema): { name: string; schema: Schema } | null {
  const data = schema.properties?.data;
  if (!data) return null;
  if (isRef(data)) {
    const name = data.$ref.slice(SCHEMA_REF_PREFIX.length);
    return {
      name: `${publicName(name)}Response`,
      schema: {
        ...schema,
        description: `The success body that carries one \`${publicName(name)}\`.`,
        properties: { data: { allOf: [data], description: 'The requested resource.' } },
      },
    };
  }
  const { items } = data as { items?: Schema | { $ref: string } };
  if (!items || !isRef(items)) return null;
  const name = publicName(items.$ref.slice(SCHEMA_REF_PREFIX.length));
  return { name: `${name}Page`, schema: { ...schema, description: `A page of a list of \`${name}\`.` } };
}
