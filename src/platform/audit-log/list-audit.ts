import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../audit/audit';
import { DAY_MS, uuidAt } from '../history/history-partitions';
import { ReadReplica } from '../replica/read-replica';

export interface AuditFilter {
  /** Null: all environments, and actions that concern the whole installation. */
  readonly environmentUuid: string | null;
  readonly actor?: string | undefined;
  /** `key.issue`, or `key` for all actions on keys. */
  readonly action?: string | undefined;
  readonly subjectUuid?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | null;
  /** Exclusive. */
  readonly to?: Date | null;
  /** The last entry of the previous page. */
  readonly before?: string | null;
  readonly limit: number;
}

/** Reads the audit log (decisions 7), newest first, in the order of the uuids, which contain the time. */
@Injectable()
export class ListAudit {
  constructor(
    private readonly em: EntityManager,
    private readonly replica: ReadReplica,
  ) {}

  list(filter: AuditFilter): Promise<AuditEntry[]> {
    const read = (em: EntityManager) =>
      em.find(AuditEntry, { $and: conditions(filter) }, { orderBy: { uuid: 'desc' }, limit: filter.limit });
    return filter.environmentUuid === null ? read(this.em.fork()) : this.replica.read(read);
  }
}

function conditions({ environmentUuid, actor, action, subjectUuid, from, to, before }: AuditFilter) {
  const all: FilterQuery<AuditEntry>[] = [];
  if (environmentUuid !== null) all.push({ environmentUuid });
  if (actor !== undefined) all.push({ actor });
  if (action !== undefined) all.push(action.includes('.') ? { action } : { action: { $like: `${action}.%` } });
  if (subjectUuid !== undefined) all.push({ subjectUuid });
  // The uuids limit what is read. A day more, because clocks differ.
  if (from) all.push({ createdAt: { $gte: from } }, { uuid: { $gte: uuidAt(Math.max(0, from.getTime() - DAY_MS)) } });
  if (to) all.push({ createdAt: { $lt: to } }, { uuid: { $lt: uuidAt(Math.max(0, to.getTime() + DAY_MS)) } });
  if (before) all.push({ uuid: { $lt: before } });
  return all;
}
