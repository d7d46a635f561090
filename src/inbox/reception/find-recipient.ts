import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ConnectionStatus, statusSql } from '../../identities/connection-status';
import type { MailPolicy } from '../../identities/environments/setting-values';
import { type EnvironmentFence, environmentFenced } from '../../platform/errors/environment-fence';
import { prepared } from '../../platform/database/sql';
import { type SenderRules, senderList } from '../authentication/judge-sender';

/** A connection that receives mails. */
export interface Recipient {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly isActive: boolean;
  readonly rules: SenderRules;
}

interface RecipientRow {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly status: ConnectionStatus;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mail_policy: MailPolicy;
  readonly fence: EnvironmentFence | null;
}

/** Finds the connection of an address. */
@Injectable()
export class FindRecipient {
  constructor(private readonly em: EntityManager) {}

  /**
   * Null when no connection has the address; upper and lower case do not matter.
   * @throws ApiError while its environment is moved
   */
  async find(address: string): Promise<Recipient | null> {
    const [row] = await prepared<RecipientRow>(
      this.em.fork(),
      `select c.uuid, c.environment_uuid, ${statusSql('c')} as status, c.settings, e.mail_policy, e.fence
       from connection c join environment e on e.uuid = c.environment_uuid where c.inbox_address = $1`,
      [address.toLowerCase()],
    );
    if (!row) return null;
    if (row.fence) throw environmentFenced(row.fence);
    return {
      uuid: row.uuid,
      environmentUuid: row.environment_uuid,
      isActive: row.status === 'ACTIVE',
      rules: {
        policy: row.mail_policy,
        allowedSenders: senderList(row.settings['allowed_senders']),
        forwardingMailboxes: senderList(row.settings['forwarding_mailboxes']),
      },
    };
  }
}

/** Whether one answer can hold for both: a mail is accepted or refused for all its recipients. */
export const haveSameRules = (a: Recipient, b: Recipient): boolean =>
  a.environmentUuid === b.environmentUuid && JSON.stringify(a.rules) === JSON.stringify(b.rules);
