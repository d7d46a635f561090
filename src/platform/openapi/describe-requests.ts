import type { OpenAPIObject } from '@nestjs/swagger';
import { NEEDS_MEMBER } from './needs-member';
import { isRef, operationsOf, type Schema } from './openapi-document';

type Marked = Schema & { [NEEDS_MEMBER]?: true };

/**
 * Describes what the validation of bodies does (decisions 1): it rejects unknown properties, and takes a missing body for an
 * empty one, so that only bodies with a required property are required. `schemas` have their final names.
 */
export function describeRequests(document: OpenAPIObject): void {
  const schemas = (document.components!.schemas ?? {}) as Record<string, Schema>;
  const operations = operationsOf(document.paths).map(({ operation }) => operation);
  const inResponses = reachable(
    schemas,
    operations.map(({ responses }) => responses),
  );
  const bodies = operations.flatMap(({ requestBody }) => (requestBody && !isRef(requestBody) ? [requestBody] : []));
  for (const name of reachable(schemas, bodies)) {
    const schema = schemas[name]!;
    // Later versions may add properties to what a response contains too.
    if (schema.properties && !inResponses.has(name)) schema.additionalProperties ??= false;
  }
  for (const body of bodies) {
    const [name = ''] = reachable({}, [body]);
    const schema = schemas[name];
    if (!schema || (schema.required ?? []).length > 0) continue;
    body.required = (schema as Marked)[NEEDS_MEMBER] === true;
  }
  for (const schema of Object.values(schemas)) delete (schema as Marked)[NEEDS_MEMBER];
}

/** The names of the schemas to which the parts of a document refer, directly or through others. */
function reachable(schemas: Readonly<Record<string, Schema>>, parts: readonly object[]): Set<string> {
  const found = new Set<string>();
  const pending = [...parts];
  for (let part = pending.pop(); part; part = pending.pop()) {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      if (schemas[name!]) pending.push(schemas[name!]!);
    }
  }
  return found;
}
