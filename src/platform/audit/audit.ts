import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Clock } from '../clock/clock';
import { jsonb, prepared } from '../database/sql';

const schema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid().nullable(),
    /** `cli:<system user>`, `key:<uuid>`, `token:<identity uuid>` or `console:<session uuid>`. */
    actor: p.text(),
    /** A verb and its object: `connection.create`. */
    action: p.text(),
    subjectUuid: p.uuid().nullable(),
    details: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(3),
  },
});

/** One change: the actor, the action and its subject. The database rejects updates and deletes. */
export class AuditEntry extends schema.class {}
schema.setClass(AuditEntry);

/** An entry to record. */
export interface NewAuditEntry {
  readonly environmentUuid: string | null;
  readonly actor: string;
  readonly action: string;
  readonly subjectUuid: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The append-only log of every change by the API and the CLI (decisions 7). Entries must not contain secrets. */
@Injectable()
export class Audit {
  constructor(private readonly clock: Clock) {}

  record(em: EntityManager, entry: NewAuditEntry): void {
    em.persist(em.create(AuditEntry, { uuid: uuid(), details: {}, ...entry, createdAt: this.clock.now() }));
  }
  /** Like {@link record}, for a use case that writes nothing with the ORM: one statement. */
  async insert(
    em: EntityManager,
    { environmentUuid, actor, action, subjectUuid, details = {} }: NewAuditEntry,
  ): Promise<void> {
    await prepared(
      em,
      `insert into audit_log (uuid, environment_uuid, actor, action, subject_uuid, details, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [uuid(), environmentUuid, actor, action, subjectUuid, jsonb(details), this.clock.now()],
    );
  }
}
