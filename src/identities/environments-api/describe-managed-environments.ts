import { Injectable } from '@nestjs/common';
import type { Environment } from '../environments/environment.entity';
import { ReadFormerSecretsEnds } from '../environments/signing/read-former-secrets-ends';
import { managedEnvironmentView, type ManagedEnvironmentView } from './environment.view';

/** Environments with all their settings. Of the signing secrets, only how long former ones still sign. */
@Injectable()
export class DescribeManagedEnvironments {
  constructor(private readonly formerSecretsEnds: ReadFormerSecretsEnds) {}

  async describe(environments: readonly Environment[]): Promise<ManagedEnvironmentView[]> {
    const ends = await this.formerSecretsEnds.read(environments);
    return environments.map((environment) => managedEnvironmentView(environment, ends.get(environment.uuid) ?? null));
  }
}
