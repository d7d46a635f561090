import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The committed description of the API: client code is generated from it, so every response is validated against it. */
export const contractDocument = JSON.parse(
  readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
) as OpenAPIObject;

/** One operation of the document. */
export interface Operation {
  /** The path in the document: `/v1/connections/{uuid}`. */
  readonly path: string;
  readonly method: string;
  /** Sessions of the console may use it too. */
  readonly acceptsKey: boolean;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface DescribedBody {
  readonly schema?: object;
  /** Of an error: one example for each possible code. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** The document's description of one status of an operation. */
export interface DescribedResponse {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema?: object }>>;
  readonly content?: Readonly<Record<string, DescribedBody>>;
}

interface DescribedOperation {
  readonly security: readonly object[];
  readonly responses: Operation['responses'];
}

interface Template {
  readonly pattern: RegExp;
  readonly path: string;
  readonly literals: number;
}

/** A literal segment takes precedence over a parameter, as in the router: `/transactions/redeliver` is not a transaction. */
const TEMPLATES: readonly Template[] = Object.keys(contractDocument.paths)
  .map((path) => ({
    path,
    literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
    pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i'),
  }))
  .sort((one, other) => other.literals - one.literals);

/** The operation that answers a request, or null when the document has none. */
export function operationOf(method: string, path: string): Operation | null {
  if (!isDecodable(path)) return null;
  for (const template of TEMPLATES) {
    if (!template.pattern.test(path)) continue;
    const item = contractDocument.paths[template.path] as Record<string, DescribedOperation>;
    const operation = item[method.toLowerCase()];
    // A path without parameters has no other methods either: not those of `/transactions/{transaction_uuid}`.
    if (!operation && !template.path.includes('{')) return null;
    if (!operation) continue;
    const acceptsKey = operation.security.some((scheme) => 'X-API-KEY' in scheme);
    return { path: template.path, method: method.toLowerCase(), acceptsKey, responses: operation.responses };
  }
  return null;
}

/** Invalid URL encoding is rejected before routing. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
