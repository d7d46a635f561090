import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import type { Caller } from '../../platform/http/access/access.decorator';
import { Outbox } from '../../platform/outbox/outbox';
import { type ConnectionFacts, type ConnectionStatus, statusOf } from './connection-facts';

/** What was done to a connection; `before` is its status until then, when it had one. */
interface Change {
  readonly action:
    | 'create'
    | 'update'
    | 'migrate'
    | 'enable'
    | 'disable'
    | 'save-step2'
    | 'delete'
    | 'authorize'
    | 'set-scenario'
    | 'place-documents'
    | 'dismiss-failure';
  readonly before?: ConnectionStatus;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Facts for the timeline, beside the status. */
  readonly facts?: readonly ConnectionFact[];
}

/** What a connection's timeline tells of it, beside its status: each one is a row of the outbox, with who did it. */
export type ConnectionFact =
  | { readonly type: 'connection.created'; readonly data: { readonly migrated: boolean } }
  | { readonly type: 'connection.renamed'; readonly data: { readonly from: string; readonly to: string } }
  | {
      readonly type: 'connection.updated' | 'connection.setup_saved' | 'connection.authorized';
      readonly data: Record<string, never>;
    };

/** Writes a caller's change of a connection into the audit log, and what became of it, in the change's transaction. */
@Injectable()
export class RecordChange {
  constructor(
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  run(
    em: EntityManager,
    { actor }: Pick<Caller, 'actor'>,
    connection: ConnectionFacts,
    { action, before, details = {}, facts = [] }: Change,
  ): void {
    const { environmentUuid, uuid: subjectUuid } = connection;
    this.audit.record(em, { environmentUuid, actor, action: `connection.${action}`, subjectUuid, details });
    for (const { type, data } of facts) {
      this.outbox.record(em, { environmentUuid, subjectUuid, type, data: { ...data, actor } });
    }
    if (before !== undefined) reportStatusChange(em, this.outbox, connection, before, actor);
  }
}

/** The fact that a client may hear of and that the timeline shows; nothing when the status is what it was. */
export function reportStatusChange(
  em: EntityManager,
  outbox: Outbox,
  connection: ConnectionFacts,
  from: ConnectionStatus,
  cause: string | null,
): void {
  const { environmentUuid, uuid: subjectUuid } = connection;
  const to = statusOf(connection);
  if (to === from) return;
  outbox.record(em, { environmentUuid, subjectUuid, type: 'connection.status_changed', data: { from, to, cause } });
}
