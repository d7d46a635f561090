import type { OpenAPIObject } from '@nestjs/swagger';
import { sample } from 'openapi-sampler';
import {
  isRef,
  type Method,
  type Operation,
  type Parameter,
  type Response,
} from '../platform/openapi/openapi-document';

/** A request that the samples of an operation send, with the values of its examples. */
export interface SampleCall {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  /** The required ones. */
  readonly parameters: readonly (Parameter & { example?: unknown })[];
  readonly body: unknown;
}

export function sampleCall(path: string, method: Method, operation: Operation, document: OpenAPIObject): SampleCall {
  const { parameters = [] } = operation;
  return {
    path,
    method,
    operation,
    parameters: parameters
      .filter((parameter): parameter is Parameter => !isRef(parameter) && parameter.required === true)
      .map((parameter) => ({ ...parameter, example: exampleOf(parameter) })),
    body: bodyOf(operation, document),
  };
}

const exampleOf = ({ example, schema }: Parameter & { example?: unknown }): unknown =>
  example ?? (schema as { example?: unknown } | undefined)?.example;

/** The first named example, which Swagger UI offers; otherwise a body built from the schema's examples. */
function bodyOf({ requestBody }: Operation, document: OpenAPIObject): unknown {
  const media = (requestBody as Response | undefined)?.content?.['application/json'];
  if (!media) return undefined;
  const [first] = Object.values(media.examples ?? {}) as { value?: unknown }[];
  return first?.value ?? sample(media.schema as object, { quiet: true }, document);
}

/** The credential header of a sample: the key if the operation accepts it. */
export function credentialOf({ security = [] }: Operation): 'X-API-KEY' | 'X-TOKEN' | null {
  const names = security.flatMap((scheme) => Object.keys(scheme));
  if (names.includes('X-API-KEY')) return 'X-API-KEY';
  return names.includes('X-TOKEN') ? 'X-TOKEN' : null;
}

/** The environment variable with the value of a credential. */
export const variableOf = (credential: 'X-API-KEY' | 'X-TOKEN') => (credential === 'X-API-KEY' ? 'API_KEY' : 'TOKEN');

/** The path of the request, with its examples. */
export function pathOf({ path, parameters }: SampleCall): string {
  const exampleIn = (name: string) =>
    String(parameters.find((parameter) => parameter.name === name)?.example ?? `{${name}}`);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleIn(name));
}
