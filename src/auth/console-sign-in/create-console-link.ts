import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import type { ConsoleRole } from '../../platform/http/access/access.decorator';
import { ConsoleLink } from '../console-session/console-link.entity';

export interface NewConsoleLink {
  readonly environmentUuid: string;
  readonly role: ConsoleRole;
  /** How long the link can be used. */
  readonly seconds: number;
}

export interface CreatedConsoleLink {
  /** The secret is in the fragment, which browsers do not send: it reaches no log of a server. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** Creates a link that opens one session of the console (decisions 3). Only here the secret is known. */
@Injectable()
export class CreateConsoleLink {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /** @throws Error with a message for the support team when the environment does not exist, or there is no console */
  async create(actor: string, { environmentUuid, role, seconds }: NewConsoleLink): Promise<CreatedConsoleLink> {
    if (!this.settings.consoleEnabled) {
      throw new Error(
        'CONSOLE_ENABLED is false: a link would not work. Use the settings of the processes that serve the console.',
      );
    }
    const secret = newSecret();
    const expiresAt = this.clock.in(seconds);
    await this.em.fork().transactional(async (em) => {
      if ((await em.count(Environment, { uuid: environmentUuid })) === 0) {
        throw new Error(`There is no environment ${environmentUuid}.`);
      }
      const createdAt = this.clock.now();
      const digest = digestOf(secret);
      em.persist(em.create(ConsoleLink, { digest, environmentUuid, role, createdBy: actor, createdAt, expiresAt }));
      const details = { role, expires_at: expiresAt.toISOString() };
      this.audit.record(em, { environmentUuid, actor, action: 'console.link', subjectUuid: null, details });
    });
    return { url: `${this.settings.publicUrl}/console/#link=${secret}`, expiresAt };
  }
}
