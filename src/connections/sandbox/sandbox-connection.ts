import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Refusals } from '../../platform/openapi/error-bodies';
import { unprocessable } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';

/** How a command is refused, for `@ApiErrors`. */
export const NO_SANDBOX: Refusals = { 422: ['TEST_ENVIRONMENT_ONLY', 'SANDBOX_ONLY'] };

/** Only connections of the sandbox obey commands, and only test environments have them (decisions 5). */
@Injectable()
export class SandboxConnection {
  constructor(private readonly integrations: IntegrationRegistry) {}

  /** @throws ApiError 422 `TEST_ENVIRONMENT_ONLY`, `SANDBOX_ONLY` */
  assertObeys(caller: Caller, { integrationId }: Pick<ConnectionFacts, 'integrationId'>): void {
    if (!caller.isTest) throw unprocessable('TEST_ENVIRONMENT_ONLY');
    if (!this.integrations.get(integrationId).scenarios) throw unprocessable('SANDBOX_ONLY');
  }
}
