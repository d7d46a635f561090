import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { unprocessable } from '../../platform/errors/errors';
import type { ConnectionRecord } from '../state/connection-record';

/** Errors of {@link SandboxPolicy}, for `@ApiErrors`. */
export const SANDBOX_ERRORS: readonly ErrorCode[] = ['TEST_ENVIRONMENT_ONLY', 'SANDBOX_ONLY'];

/** Restricts sandbox commands to sandbox connections in test environments (decisions 5). */
@Injectable()
export class SandboxPolicy {
  constructor(private readonly integrations: IntegrationRegistry) {}

  /** @throws ApiError 422 `TEST_ENVIRONMENT_ONLY`, `SANDBOX_ONLY` */
  assertAllowed(caller: Caller, { integrationId }: Pick<ConnectionRecord, 'integrationId'>): void {
    if (!caller.isTest) throw unprocessable('TEST_ENVIRONMENT_ONLY');
    if (!this.integrations.get(integrationId).scenarios) throw unprocessable('SANDBOX_ONLY');
  }
}
