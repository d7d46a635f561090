import { Injectable } from '@nestjs/common';
import type { Connection } from '../../../connections/state/connection.entity';
import { SessionInput } from '../../../connections/setup/session-input';
import type { Integration } from '../../../integrations/core/integration';
import { type OpenSession, openSession } from '../../../integrations/core/open-session';
import { Politeness } from '../../../integrations/core/politeness';
import { ServerTrust } from '../../../integrations/core/server-trust';
import { Clock } from '../../../platform/clock/clock';
import { RememberedDocuments } from './remembered-documents';

/** Opens the session in which one fetch talks to its source. */
@Injectable()
export class OpenSource {
  constructor(
    private readonly input: SessionInput,
    private readonly politeness: Politeness,
    private readonly remembered: RememberedDocuments,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimited while the whole provider has asked for a pause */
  async run(integration: Integration, connection: Connection, signal: AbortSignal): Promise<OpenSession> {
    await this.politeness.assertOpen(integration.id);
    const input = await this.input.run(connection, integration, 'background');
    return openSession({
      ...input,
      trust: ServerTrust.of(integration, input.fields, input),
      network: this.politeness.wayOut(integration, input.accountId, 'background', signal),
      signal,
      now: () => this.clock.now(),
      known: (dedupeKeys) => this.remembered.any(connection.uuid, dedupeKeys),
    });
  }
}
