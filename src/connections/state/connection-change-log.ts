import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import type { Caller } from '../../platform/http/access/access.decorator';
import { Outbox } from '../../platform/outbox/outbox';
import type { ConnectionRecord } from './connection-record';
import { type ConnectionStatus, statusOf } from '../../identities/connection-status';

/** One change of a connection. `before` is the status before it, if the connection existed. */
interface ConnectionChange {
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
  /** Events for the timeline, in addition to the change of status. */
  readonly events?: readonly ConnectionEvent[];
}

/** An event of the connection's timeline, in addition to changes of status: a row of the outbox that includes the actor. */
export type ConnectionEvent =
  | { readonly type: 'connection.created'; readonly data: { readonly migrated: boolean } }
  | { readonly type: 'connection.renamed'; readonly data: { readonly from: string; readonly to: string } }
  | {
      readonly type: 'connection.updated' | 'connection.setup_saved' | 'connection.authorized';
      readonly data: Record<string, never>;
    };

/** Records a caller's change of a connection in the audit log and its events in the outbox, in the caller's transaction. */
@Injectable()
export class ConnectionChangeLog {
  constructor(
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  record(
    em: EntityManager,
    { actor }: Pick<Caller, 'actor'>,
    connection: ConnectionRecord,
    { action, before, details = {}, events = [] }: ConnectionChange,
  ): void {
    const { environmentUuid, uuid: subjectUuid } = connection;
    this.audit.record(em, { environmentUuid, actor, action: `connection.${action}`, subjectUuid, details });
    for (const { type, data } of events) {
      this.outbox.record(em, { environmentUuid, subjectUuid, type, data: { ...data, actor } });
    }
    if (before !== undefined) recordStatusChange(em, this.outbox, connection, before, actor);
  }
}

/** Records the event `connection.status_changed`, for webhooks and the timeline, if the status has changed. */
export function recordStatusChange(
  em: EntityManager,
  outbox: Outbox,
  connection: ConnectionRecord,
  from: ConnectionStatus,
  cause: string | null,
): void {
  const { environmentUuid, uuid: subjectUuid } = connection;
  const to = statusOf(connection);
  if (to === from) return;
  outbox.record(em, { environmentUuid, subjectUuid, type: 'connection.status_changed', data: { from, to, cause } });
}
