import { Injectable } from '@nestjs/common';
import { SessionInputLoader } from '../../../connections/setup/session-input-loader';
import type { Integration } from '../../../integrations/core/integration';
import { type OpenSession, openSession } from '../../../integrations/core/session/open-session';
import { ProviderRateLimits } from '../../../integrations/core/provider-rate-limits';
import { ServerTrust } from '../../../integrations/core/server-trust';
import { Clock } from '../../../platform/clock/clock';
import { DedupeIndex } from './dedupe-index';
import type { FetchedConnection } from './load-fetches';
import type { KeyRing } from '../../../platform/crypto/key-ring';

/** Opens the session of a fetch with its source. */
@Injectable()
export class OpenSourceSession {
  constructor(
    private readonly sessionInput: SessionInputLoader,
    private readonly rateLimits: ProviderRateLimits,
    private readonly dedupeIndex: DedupeIndex,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimited while the whole provider has asked for a pause */
  async open(
    integration: Integration,
    connection: FetchedConnection,
    dataKey: KeyRing,
    signal: AbortSignal,
  ): Promise<OpenSession> {
    await this.rateLimits.assertNotPaused(integration.id);
    const input = await this.sessionInput.load(connection, integration, 'background', dataKey);
    return openSession({
      ...input,
      trust: ServerTrust.of(integration, input.fields, input),
      network: this.rateLimits.network(integration, input.accountId, 'background', signal),
      signal,
      now: () => this.clock.now(),
      findKnown: (dedupeKeys) => this.dedupeIndex.findKnown(connection.uuid, dedupeKeys),
    });
  }
}
