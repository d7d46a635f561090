import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { DocumentStore } from '../../../documents/store/document-store';
import type { MailAuthentication } from '../../../documents/metadata';
import { Clock } from '../../../platform/clock/clock';
import { Encrypted } from '../../../platform/crypto/encrypted';
import { KeyManager } from '../../../platform/crypto/key-manager';
import type { KeyRing } from '../../../platform/crypto/key-ring';
import { affected, sql } from '../../../platform/database/sql';
import type { Inbox, ReceivedMail } from '../../core/inbox';

/** Encryption purpose of the envelope of a received mail. */
export const MAIL_ENVELOPE = 'inbox-mail.envelope';

/** What is known about a received mail apart from its content. */
export interface MailEnvelope {
  /** The envelope sender (RFC 5321 section 4.1.1.2); empty for reports of mail servers. */
  readonly from: string;
  /** The IP address that sent it. */
  readonly client: string;
  readonly authentication: MailAuthentication;
}

/** Reads the mails that were received for connections. */
@Injectable()
export class Inboxes {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /** The inbox of one connection, with its data key. */
  of(connectionUuid: string, key: KeyRing): Inbox {
    return {
      mailsAfter: (number, limit) => this.mailsAfter(connectionUuid, key, number, limit),
      read: (number, range) => this.read(connectionUuid, key, number, range),
      markProcessed: async (number) => {
        await affected(
          this.em.fork(),
          'update inbox_mail set processed_at = $3 where connection_uuid = $1 and number <= $2 and processed_at is null',
          [connectionUuid, number, this.clock.now()],
        );
      },
    };
  }

  private async mailsAfter(uuid: string, key: KeyRing, number: number, limit: number): Promise<ReceivedMail[]> {
    const rows = await sql<{ number: string; size: string; received_at: string; envelope: Buffer }>(
      this.em.fork(),
      `select number, size, received_at, envelope from inbox_mail
       where connection_uuid = $1 and number > $2 order by number limit $3`,
      [uuid, number, limit],
    );
    return rows.map((row) => ({
      number: Number(row.number),
      size: Number(row.size),
      receivedAt: new Date(row.received_at),
      authentication: this.keyManager.decrypt<MailEnvelope>(key, MAIL_ENVELOPE, new Encrypted(row.envelope))
        .authentication,
    }));
  }

  private async read(
    uuid: string,
    key: KeyRing,
    number: number,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | null> {
    const [row] = await sql<{ content_uuid: string; chunks: number; size: string }>(
      this.em.fork(),
      'select content_uuid, chunks, size from inbox_mail where connection_uuid = $1 and number = $2',
      [uuid, number],
    );
    if (!row) return null;
    return this.store.read({ uuid: row.content_uuid, chunks: row.chunks, size: Number(row.size) }, key, range);
  }
}
