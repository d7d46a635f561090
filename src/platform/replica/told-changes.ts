import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { ALL_ENVIRONMENTS, notePositionNow } from '../database/write-position';

/**
 * What is committed outside of requests and then told to somebody: a client that is told about a change by a push or an event finds it in
 * its next request, whatever process and server answer it (ADR 33). Does nothing without a replica.
 */
@Injectable()
export class ToldChanges {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  /** Before something is told that has been committed in this environment. */
  async note(environmentUuid: string): Promise<void> {
    if (this.settings.databaseReplicaUrl !== null) await notePositionNow(this.em, environmentUuid);
  }

  /** After a change that may concern several environments. */
  async noteAll(): Promise<void> {
    await this.note(ALL_ENVIRONMENTS);
  }
}
