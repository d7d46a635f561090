import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { Environment, type EnvironmentKind, SIGNING_SECRETS, type SigningSecret } from './environment.entity';
import { FETCH_INTERVAL } from './setting-limits';
import { newSigningSecret } from './signing/signing-secret';

export interface NewEnvironment {
  readonly clientName: string;
  readonly name: string;
  readonly kind: EnvironmentKind;
  readonly returnOrigins: readonly string[];
  /** Defaults to none. */
  readonly browserOrigins?: readonly string[];
  /** By default once a day. */
  readonly fetchIntervalMinutes?: number | undefined;
}

export interface CreatedEnvironment {
  readonly environment: Environment;
  readonly signingSecret: string;
}

/** Creates an environment with its data key and signing secret (decisions 7). The caller shows the secret once. */
@Injectable()
export class CreateEnvironment {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Joins the transaction of `em` if it has one. */
  async create(actor: string, given: NewEnvironment, em = this.em.fork()): Promise<CreatedEnvironment> {
    const signingSecret = newSigningSecret();
    const secrets: SigningSecret[] = [{ secret: signingSecret, retiresAt: null }];
    const now = this.clock.now();
    const environment = await em.transactional(async (tx) => {
      const id = uuid();
      const key = await this.keyManager.createKey(tx, id);
      const created = tx.create(Environment, {
        uuid: id,
        ...given,
        browserOrigins: given.browserOrigins ?? [],
        fetchIntervalMinutes: given.fetchIntervalMinutes ?? FETCH_INTERVAL.default,
        strategy: 'POLLING',
        provisioningUrl: null,
        clientAuth: 'NONE',
        clientAuthSecret: null,
        signingSecrets: this.keyManager.encrypt(key, SIGNING_SECRETS, secrets),
        pushLimitBytes: 50 * 1024 * 1024,
        retentionDeliveredDays: 7,
        retentionDays: 90,
        retentionClass: 'STANDARD',
        embeddingOrigins: [],
        theme: {},
        createdAt: now,
        updatedAt: now,
      });
      tx.persist(created);
      this.audit.record(tx, { environmentUuid: id, actor, action: 'environment.create', subjectUuid: id });
      return created;
    });
    return { environment, signingSecret };
  }
}
