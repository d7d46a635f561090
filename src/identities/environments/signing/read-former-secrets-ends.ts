import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { type Environment, SIGNING_SECRETS, type SigningSecret } from '../environment.entity';
import { formerSecretsEnd } from './signing-secret';

/** Until when former signing secrets of environments sign. */
@Injectable()
export class ReadFormerSecretsEnds {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /** By the uuid of the environment; null where only the current secret signs. */
  async read(environments: readonly Environment[]): Promise<ReadonlyMap<string, Date | null>> {
    const keys = await this.keyManager.keys(
      this.em.fork(),
      environments.map(({ uuid }) => uuid),
    );
    const now = this.clock.now();
    return new Map(
      environments.map(({ uuid, signingSecrets }) => {
        // Without its key, the other settings can be read all the same.
        const key = keys.get(uuid);
        const secrets = key ? this.keyManager.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, signingSecrets) : [];
        return [uuid, formerSecretsEnd(secrets, now)];
      }),
    );
  }
}
