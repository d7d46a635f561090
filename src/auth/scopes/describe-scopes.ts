import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS_EXTENSION } from '../../platform/errors/api-errors';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { type Operation, operationsOf } from '../../platform/openapi/openapi-document';
import type { KeyScope } from '../../platform/http/access/key-scope';
import { requiredScopes } from './required-scopes';

/** OpenAPI 3.1 would permit roles in `security` for every scheme; tools accept them only for OAuth. */
export const SCOPES_EXTENSION = 'x-required-scopes';

type Marked = Operation & { [API_ERRORS_EXTENSION]?: readonly ErrorCode[]; [SCOPES_EXTENSION]?: KeyScope[] };

/** Writes the scopes that each operation requires of an API key, and the errors that follow, into the document. */
export function describeScopes(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document.paths)) {
    if ((operation.security ?? []).length === 0) continue;
    const scopes = requiredScopes(operation.operationId!) ?? [];
    const errors: readonly ErrorCode[] = ['ADDRESS_NOT_ALLOWED', ...(scopes.length > 0 ? KEY_SCOPE_MISSING : [])];
    (operation as Marked)[API_ERRORS_EXTENSION] = [...errors, ...((operation as Marked)[API_ERRORS_EXTENSION] ?? [])];
    if (scopes.length === 0) continue;
    const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
    const noun = scopes.length > 1 ? 'scopes' : 'scope';
    operation.description = `${operation.description}\n\nAn API key with scopes needs the ${noun} ${names}.`;
    (operation as Marked)[SCOPES_EXTENSION] = [...scopes];
  }
}

const KEY_SCOPE_MISSING = ['KEY_SCOPE_MISSING'] as const;
