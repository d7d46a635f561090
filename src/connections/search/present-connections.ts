import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Identity } from '../../identities/identity.entity';
import { ConnectionPresenter } from '../state/connection-presenter';
import type { ConnectionRecord } from '../state/connection-record';
import type { ConsoleConnectionView } from './console-connection.view';
import { explainConnection } from './explain-connection';

/** Builds the views of connections for the console, with their identities, which one statement reads for all. */
@Injectable()
export class PresentConnections {
  constructor(
    private readonly em: EntityManager,
    private readonly presenter: ConnectionPresenter,
  ) {}

  /** Keeps the order of `connections`. */
  async present(connections: readonly ConnectionRecord[]): Promise<ConsoleConnectionView[]> {
    const uuids = [...new Set(connections.map(({ identityUuid }) => identityUuid))];
    const rows = await this.em.fork().find(Identity, { uuid: { $in: uuids } });
    const identities = new Map(rows.map((identity) => [identity.uuid, identity]));
    const views = await this.presenter.present(connections);
    return views.flatMap((view, index) => {
      const identity = identities.get(view.identity_uuid);
      if (!identity) return []; // deleted with its connections since they were read
      const { uuid: identity_uuid, clientIdentifier: client_identifier, displayName } = identity;
      return {
        ...view,
        identity: { identity_uuid, client_identifier, display_name: displayName ?? null },
        explanation: explainConnection(connections[index]!, view),
      };
    });
  }
}
