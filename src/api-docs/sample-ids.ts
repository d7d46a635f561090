import type { OpenAPIObject } from '@nestjs/swagger';
import { isRef, operationsOf, type Parameter, type Schema } from '../platform/openapi/openapi-document';

/** The id in the descriptions of properties and parameters, for every kind of resource. */
const ANY_SAMPLE = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

/**
 * One sample id for each kind of resource. The Swagger page replaces them by ids from responses to the reader's own
 * requests (`page-functions.ts`), so that an example can be sent unchanged.
 */
export const SAMPLE_IDS = {
  identity: '019a9f6e-0001-7c5e-9d0a-1b7c2f3e4d5a',
  connection: '019a9f6e-0002-7c5e-9d0a-1b7c2f3e4d5a',
  transaction: '019a9f6e-0003-7c5e-9d0a-1b7c2f3e4d5a',
  fetch: '019a9f6e-0004-7c5e-9d0a-1b7c2f3e4d5a',
  webhook: '019a9f6e-0005-7c5e-9d0a-1b7c2f3e4d5a',
  event: '019a9f6e-0006-7c5e-9d0a-1b7c2f3e4d5a',
  failure: '019a9f6e-0007-7c5e-9d0a-1b7c2f3e4d5a',
} as const;

export type SampleKind = keyof typeof SAMPLE_IDS;

const KINDS = Object.keys(SAMPLE_IDS) as SampleKind[];

/** `identity_uuid` → identity, `transaction_uuids` → transaction. */
const kindOfName = (name: string): SampleKind | undefined =>
  KINDS.find((kind) => name === `${kind}_uuid` || name === `${kind}_uuids`);

/** `/v1/fetches/{uuid}` → fetch, `FetchDetail` → fetch. */
const kindOfPath = (path: string): SampleKind | undefined =>
  KINDS.find((kind) => path.startsWith(`/v1/${plural(kind)}/`));
const kindOfSchema = (schema: string): SampleKind | undefined =>
  KINDS.find((kind) => schema.toLowerCase().startsWith(kind)) ?? (schema === 'LastFetch' ? 'fetch' : undefined);

function plural(kind: SampleKind): string {
  if (kind === 'identity') return 'identities';
  return kind === 'fetch' ? 'fetches' : `${kind}s`;
}

/** Sets the sample of its kind for every documented id. */
export function distinguishSampleIds(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const properties = (schema as Schema).properties ?? {};
    for (const [property, described] of Object.entries(properties)) {
      const kind = property === 'uuid' ? kindOfSchema(name) : kindOfName(property);
      if (kind) replaceSample(described as { example?: unknown }, SAMPLE_IDS[kind]);
    }
  }
  for (const { path, operation } of operationsOf(document.paths)) {
    for (const parameter of (operation.parameters ?? []).filter((each): each is Parameter => !isRef(each))) {
      const kind = parameter.name === 'uuid' ? kindOfPath(path) : kindOfName(parameter.name);
      if (kind) replaceSample(parameter, SAMPLE_IDS[kind]);
    }
  }
}

function replaceSample(node: { example?: unknown }, sample: string): void {
  if (node.example === ANY_SAMPLE) node.example = sample;
  if (Array.isArray(node.example))
    node.example = node.example.map((each: unknown) => (each === ANY_SAMPLE ? sample : each));
}
