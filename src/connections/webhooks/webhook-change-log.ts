import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import type { Webhook } from './webhook.entity';

/** Records a change, or a test, of a registration in the audit log. Of its URL only the origin, because the rest may contain a secret. */
@Injectable()
export class WebhookChangeLog {
  constructor(private readonly audit: Audit) {}

  record(
    em: EntityManager,
    actor: string,
    webhook: Webhook,
    action: 'create' | 'update' | 'disable' | 'delete' | 'test',
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    const { environmentUuid, uuid: subjectUuid, connectionUuid, url, events } = webhook;
    this.audit.record(em, {
      environmentUuid,
      actor,
      action: `webhook.${action}`,
      subjectUuid,
      details: { connection_uuid: connectionUuid ?? null, origin: new URL(url).origin, events, ...details },
    });
  }
}
