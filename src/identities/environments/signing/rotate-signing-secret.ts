import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit';
import { Clock } from '../../../platform/clock/clock';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { type Environment, SIGNING_SECRETS, type SigningSecret } from '../environment.entity';
import { environmentKey, lockEnvironment, touch } from '../lock-environment';
import { newSigningSecret, retirementAfter, rotateSecrets } from './signing-secret';

export interface RotatedSigningSecret {
  readonly environment: Environment;
  readonly signingSecret: string;
  /** When the former secret stops signing. */
  readonly formerRetiresAt: Date;
}

/**
 * Replaces the signing secret of an environment (decisions 4). Pushes are signed with both until the former one retires, and return
 * URLs, which have one signature, with the former one.
 */
@Injectable()
export class RotateSigningSecret {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /**
   * The secret is returned only here.
   * @param graceHours for this long, the former secret continues to sign
   * @throws ApiError 409 `ENVIRONMENT_CHANGED`
   * @throws Error with a message for the support team when the environment does not exist
   */
  async rotate(
    actor: string,
    environmentUuid: string,
    graceHours: number,
    expectedUpdatedAt: Date | null = null,
  ): Promise<RotatedSigningSecret> {
    const key = await environmentKey(this.em.fork(), this.keyManager, environmentUuid);
    return this.em.fork().transactional(async (em) => {
      const environment = await lockEnvironment(em, environmentUuid, expectedUpdatedAt);
      const now = this.clock.now();
      const formerRetiresAt = retirementAfter(now, graceHours);
      const former = this.keyManager.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, environment.signingSecrets);
      const signingSecret = newSigningSecret();
      const secrets = rotateSecrets(former, signingSecret, now, formerRetiresAt);
      environment.signingSecrets = this.keyManager.encrypt(key, SIGNING_SECRETS, secrets);
      touch(environment, now);
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'environment.rotate-signing-secret',
        subjectUuid: environmentUuid,
        details: { former_retires_at: formerRetiresAt.toISOString() },
      });
      return { environment, signingSecret, formerRetiresAt };
    });
  }
}
