import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DocumentStore, type StoredContent } from '../../documents/store/document-store';
import { FetchWakeup } from '../../fetches/scheduling/fetch-wakeup';
import { statusSql } from '../../identities/connection-status';
import type { MailAuthentication } from '../../documents/metadata';
import { MAIL_ENVELOPE, type MailEnvelope } from '../../integrations/shared/inbox/inboxes';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import { lockServed } from '../../platform/database/served-environment';
import { sql } from '../../platform/database/sql';
import { currentTraceparent } from '../../platform/request/work-scope';
import type { Envelope } from '../authentication/authenticate-mail';
import type { Recipient } from './find-recipient';

/** The content of a mail, stored for one recipient. */
export interface StoredMail {
  readonly recipient: Recipient;
  readonly key: KeyRing;
  readonly content: StoredContent;
}

/** Records a stored mail for its recipients and makes their connections due, in one transaction. */
@Injectable()
export class CommitMail {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly wakeup: FetchWakeup,
  ) {}

  /** Returns the number of recipients that still exist: a connection may have been deleted while the mail arrived. */
  async commit(mails: readonly StoredMail[], envelope: Envelope, authentication: MailAuthentication): Promise<number> {
    const stored: MailEnvelope = { from: envelope.from, client: envelope.client, authentication };
    const inOrder = [...mails].sort((a, b) => (a.recipient.uuid < b.recipient.uuid ? -1 : 1));
    const committed = await this.em.fork().transactional(async (em) => {
      let count = 0;
      for (const { recipient, key, content } of inOrder) {
        await lockServed(em, recipient.environmentUuid);
        const number = await this.schedule(em, recipient.uuid);
        if (number === null) continue;
        await sql(
          em,
          `insert into inbox_mail
             (connection_uuid, environment_uuid, number, content_uuid, chunks, size, envelope, received_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            recipient.uuid,
            recipient.environmentUuid,
            number,
            content.uuid,
            content.chunks,
            content.size,
            this.keyManager.encrypt(key, MAIL_ENVELOPE, stored).bytes,
            this.clock.now(),
          ],
        );
        if (!(await this.store.attach(em, recipient.environmentUuid, [content.uuid])))
          throw new Error('The content of a mail is gone.');
        count++;
      }
      return count;
    });
    this.wakeup.wake();
    return committed;
  }

  /**
   * Numbers the mail under the lock of the connection, so that numbers become visible in their order. A mail that arrives during a
   * fetch makes the connection due again. Null when the connection is gone.
   */
  private async schedule(em: EntityManager, uuid: string): Promise<string | null> {
    const [row] = await sql<{ number: string }>(
      em,
      `update connection c set received_mails = received_mails + 1,
         immediate_fetch_at = case when ${statusSql('c')} = 'ACTIVE' then least(coalesce(immediate_fetch_at, $2), $2) end,
         immediate_fetch_trigger = case when ${statusSql('c')} = 'ACTIVE'
           then coalesce(immediate_fetch_trigger, 'SCHEDULED') end,
         immediate_fetch_traceparent = case when ${statusSql('c')} = 'ACTIVE'
           then case when immediate_fetch_at is null then $3 else immediate_fetch_traceparent end end
       where uuid = $1 returning received_mails as number`,
      [uuid, this.clock.now(), currentTraceparent()],
    );
    return row?.number ?? null;
  }
}
