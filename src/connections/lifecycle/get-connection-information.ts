import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { type InformationView, informationView } from '../setup/information.view';
import { loadConnection } from '../access/load-connection';

/** `GET /v1/connections/{uuid}/information` (spec 4.7): the stored input of the user in readable form. */
@Injectable()
export class GetConnectionInformation {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
  ) {}

  async get(uuid: string): Promise<InformationView> {
    const connection = await loadConnection(this.em, uuid);
    return informationView(connection, this.integrations.get(connection.integrationId));
  }
}
