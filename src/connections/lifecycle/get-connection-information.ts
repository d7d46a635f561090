import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { type InformationView, informationView } from '../setup/information.view';
import { decryptStep1Secrets } from '../setup/step1-secrets';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { Connection } from '../state/connection.entity';
import { loadConnection } from '../access/load-connection';

/** `GET /v1/connections/{uuid}/information` (spec 4.7): the stored input of the user in readable form. */
@Injectable()
export class GetConnectionInformation {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly keyManager: KeyManager,
  ) {}

  async get(uuid: string): Promise<InformationView> {
    const connection = await loadConnection(this.em, uuid);
    return informationView(
      connection,
      this.integrations.get(connection.integrationId),
      await this.secretsOf(connection),
    );
  }

  /** Which secrets are stored; their values are not used. */
  private async secretsOf({ uuid, secrets }: Connection): Promise<ReadonlySet<string>> {
    if (!secrets) return new Set();
    const key = await this.keyManager.key(this.em.fork(), uuid);
    return new Set(Object.keys(decryptStep1Secrets(this.keyManager, key, secrets)));
  }
}
