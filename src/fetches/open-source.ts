import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { Connection } from '../connections/connection.entity';
import { SessionInput } from '../connections/session-input';
import type { Integration } from '../integrations/integration';
import { type OpenSession, openSession } from '../integrations/open-session';
import { Politeness } from '../integrations/politeness';
import { Clock } from '../platform/clock';
import { jsonb, sql } from '../platform/database/sql';
import { RememberedDocuments } from './remembered-documents';

/** Opens the session in which one fetch talks to its source. */
@Injectable()
export class OpenSource {
  private readonly logger = new Logger(OpenSource.name);

  constructor(
    private readonly em: EntityManager,
    private readonly input: SessionInput,
    private readonly politeness: Politeness,
    private readonly remembered: RememberedDocuments,
    private readonly clock: Clock,
  ) {}

  /** Closing it keeps what was pinned. @throws RateLimited while the whole provider has asked for a pause */
  async run(integration: Integration, connection: Connection, signal: AbortSignal): Promise<OpenSession> {
    await this.politeness.assertOpen(integration.id);
    const input = await this.input.run(connection, integration, 'background');
    const pinned = input.pins.size;
    const session = openSession({
      ...input,
      network: this.politeness.wayOut(integration, input.accountId, 'background', signal),
      signal,
      now: () => this.clock.now(),
      known: (dedupeKeys) => this.remembered.any(connection.uuid, dedupeKeys),
    });
    return {
      ...session,
      close: async () => {
        await session.close();
        if (input.pins.size > pinned) await this.tryToKeepPins(connection.uuid, input.pins);
      },
    };
  }

  /** The fetch does not fail for it: what cannot be kept now is pinned at the next contact. */
  private async tryToKeepPins(connectionUuid: string, pins: ReadonlyMap<string, string>): Promise<void> {
    try {
      await this.keepPins(connectionUuid, pins);
    } catch (error) {
      this.logger.warn({ err: error, connection: connectionUuid }, 'What the source proved to be could not be kept');
    }
  }

  /** A migrated connection has its first contact in a fetch. What the user's saving has pinned meanwhile wins. */
  private async keepPins(connectionUuid: string, pins: ReadonlyMap<string, string>): Promise<void> {
    await sql(this.em.fork(), `update connection set pins = $2::jsonb || coalesce(pins, '{}') where uuid = $1`, [
      connectionUuid,
      jsonb(Object.fromEntries(pins)),
    ]);
  }
}
