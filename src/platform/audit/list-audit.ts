import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditEntry } from './audit';

export interface AuditFilter {
  readonly environmentUuid: string | null;
  readonly since: Date | null;
  readonly limit: number;
}

/** Reads the audit log (decisions 7), newest first. */
@Injectable()
export class ListAudit {
  constructor(private readonly em: EntityManager) {}

  list({ environmentUuid, since, limit }: AuditFilter): Promise<AuditEntry[]> {
    return this.em.fork().find(
      AuditEntry,
      {
        ...(environmentUuid && { environmentUuid }),
        ...(since && { createdAt: { $gte: since } }),
      },
      { orderBy: { createdAt: 'desc', uuid: 'desc' }, limit },
    );
  }
}
