import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsOf } from '../../platform/openapi/openapi-document';
import { requiredScopes } from './required-scopes';

const { paths } = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as OpenAPIObject;
const secured = operationsOf(paths).filter(({ operation }) => operation.security!.length > 0);

describe('the scopes that operations require', () => {
  it('are stated for every operation with credentials', () => {
    // A new operation: add it to required-scopes.ts.
    const missing = secured.filter(({ operation }) => requiredScopes(operation.operationId!) === undefined);
    expect(missing.map(({ operation }) => operation.operationId)).toEqual([]);
    expect(secured.length).toBeGreaterThan(90);
  });

  it('are `read` for every GET, and never only `read` for what changes something', () => {
    const exempt = ['getConsoleSession', 'endConsoleSession', 'previewRedelivery'];
    for (const { method, operation } of secured.filter((one) => !exempt.includes(one.operation.operationId!))) {
      const isReading = JSON.stringify(requiredScopes(operation.operationId!)) === '["read"]';
      expect([operation.operationId, isReading]).toEqual([operation.operationId, method === 'get']);
    }
  });

  it('are written into the OpenAPI document', () => {
    for (const { operation } of secured) {
      const scopes = requiredScopes(operation.operationId!)!;
      const described = (operation as { 'x-required-scopes'?: string[] })['x-required-scopes'] ?? [];
      expect([operation.operationId, described]).toEqual([operation.operationId, scopes]);
      for (const scope of scopes) expect(operation.description).toContain(`\`${scope}\``);
      const codes = JSON.stringify(operation.responses['403']);
      expect([codes.includes('KEY_SCOPE_MISSING'), codes.includes('ADDRESS_NOT_ALLOWED')]).toEqual([
        scopes.length > 0,
        true,
      ]);
    }
  });
});
