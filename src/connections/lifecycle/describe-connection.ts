import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { type InformationView, informationView } from '../setup/information.view';
import { wholeConnection } from '../access/own-connection';

/** `GET /v1/connections/{uuid}/information` (spec 4.7): what the user entered, readable, from what is stored. */
@Injectable()
export class DescribeConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
  ) {}

  async run(uuid: string): Promise<InformationView> {
    const connection = await wholeConnection(this.em, uuid);
    return informationView(connection, this.integrations.get(connection.integrationId));
  }
}
