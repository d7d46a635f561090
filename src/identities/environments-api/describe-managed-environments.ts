import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { type Environment, SIGNING_SECRETS, type SigningSecret } from '../environments/environment.entity';
import { formerSecretsEnd } from '../environments/signing/signing-secret';
import { managedEnvironmentView, type ManagedEnvironmentView } from './environment.view';

/** Environments with all their settings. Of the signing secrets, only how long former ones still sign. */
@Injectable()
export class DescribeManagedEnvironments {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  async describe(environments: readonly Environment[]): Promise<ManagedEnvironmentView[]> {
    const keys = await this.keyManager.keys(
      this.em.fork(),
      environments.map(({ uuid }) => uuid),
    );
    const now = this.clock.now();
    return environments.map((environment) => {
      // Without its key, the other settings can be read all the same.
      const key = keys.get(environment.uuid);
      const secrets = key
        ? this.keyManager.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, environment.signingSecrets)
        : [];
      return managedEnvironmentView(environment, formerSecretsEnd(secrets, now));
    });
  }
}
