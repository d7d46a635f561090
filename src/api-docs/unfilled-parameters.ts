import type { OpenAPIObject } from '@nestjs/swagger';
import { isRef, operationsOf, type Parameter, type Schema } from '../platform/openapi/openapi-document';

/**
 * Moves the example of each optional parameter into its schema's `examples` (JSON Schema 2020-12). Swagger UI sends a
 * parameter's own `example` as input: every first "Try it out" would contain a cursor of another environment, a filter
 * without matches and an `Idempotency-Key` shared by all readers.
 */
export function leaveOptionalParametersEmpty(document: OpenAPIObject): void {
  const shared = Object.values(document.components?.parameters ?? {});
  const own = operationsOf(document.paths).flatMap(({ operation }) => operation.parameters ?? []);
  for (const parameter of [...shared, ...own]) {
    if (!isRef(parameter) && parameter.required !== true) unfill(parameter);
  }
}

function unfill(parameter: Parameter & { example?: unknown }): void {
  const schema = parameter.schema as (Schema & { examples?: unknown[] }) | undefined;
  if (!schema) return;
  const example: unknown = parameter.example ?? schema.example;
  delete parameter.example;
  delete schema.example;
  if (example !== undefined && !('$ref' in schema)) schema.examples = [example];
}
