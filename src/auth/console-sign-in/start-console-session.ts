import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { digestOf, newSecret } from '../../platform/crypto/signed-token';
import { affected, storableText } from '../../platform/database/sql';
import { ConsoleSession } from '../console-session/console-session.entity';
import { readSessionCookie } from '../console-session/session-cookie';

const MAX_USER_AGENT = 256;

/** Who has signed in. */
export type SignedIn = Pick<ConsoleSession, 'role' | 'environmentUuid' | 'openedBy' | 'keyUuid' | 'expiresAt'>;

export interface StartedConsoleSession {
  readonly session: ConsoleSession;
  /** The value of the cookie, which is not stored. */
  readonly secret: string;
}

/** Starts the session of a browser that has signed in, in place of the one that it had. */
@Injectable()
export class StartConsoleSession {
  constructor(
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /** Joins the transaction of `em`. */
  async start(em: EntityManager, signedIn: SignedIn, { headers }: Request): Promise<StartedConsoleSession> {
    const now = this.clock.now();
    const former = readSessionCookie(headers.cookie, this.settings.publicUrl);
    if (former !== null) {
      const statement = 'update console_session set revoked_at = $2 where digest = $1 and revoked_at is null';
      await affected(em, statement, [digestOf(former), now]);
    }
    const secret = newSecret();
    const session = em.create(ConsoleSession, {
      ...signedIn,
      uuid: uuid(),
      digest: digestOf(secret),
      userAgent: storableText((headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT)) || null,
      createdAt: now,
      lastUsedAt: now,
    });
    em.persist(session);
    this.audit.record(em, {
      environmentUuid: signedIn.environmentUuid,
      actor: signedIn.openedBy,
      action: 'console.sign-in',
      subjectUuid: session.uuid,
      details: { role: signedIn.role },
    });
    return { session, secret };
  }
}
