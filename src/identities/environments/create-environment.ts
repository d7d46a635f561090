import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { Environment, SIGNING_SECRETS, type SigningSecret } from './environment.entity';
import type { EnvironmentKind } from './setting-values';
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

  /** `complete` adds what belongs to it, in the same transaction. */
  async create(
    actor: string,
    given: NewEnvironment,
    complete: (em: EntityManager, environment: Environment) => Promise<void> = () => Promise.resolve(),
  ): Promise<CreatedEnvironment> {
    const signingSecret = newSigningSecret();
    const secrets: SigningSecret[] = [{ secret: signingSecret, retiresAt: null }];
    const now = this.clock.now();
    const dataKey = await this.keyManager.generate(uuid());
    const environment = await this.em.fork().transactional(async (em) => {
      const environmentUuid = dataKey.ownerUuid;
      this.keyManager.store(em, environmentUuid, dataKey);
      const created = em.create(Environment, {
        uuid: environmentUuid,
        ...given,
        browserOrigins: given.browserOrigins ?? [],
        fetchIntervalMinutes: given.fetchIntervalMinutes ?? FETCH_INTERVAL.default,
        strategy: 'POLLING',
        provisioningUrl: null,
        clientAuth: 'NONE',
        clientAuthSecret: null,
        signingSecrets: this.keyManager.encrypt(dataKey.key, SIGNING_SECRETS, secrets),
        pushLimitBytes: 50 * 1024 * 1024,
        retentionDeliveredDays: 7,
        retentionDays: 90,
        retentionClass: 'STANDARD',
        embeddingOrigins: [],
        theme: {},
        createdAt: now,
        updatedAt: now,
      });
      em.persist(created);
      this.audit.record(em, { environmentUuid, actor, action: 'environment.create', subjectUuid: environmentUuid });
      await em.flush(); // what belongs to it refers to it
      await complete(em, created);
      return created;
    });
    return { environment, signingSecret };
  }
}
