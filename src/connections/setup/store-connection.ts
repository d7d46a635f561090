import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { lockIdentityForShare } from '../../identities/lock-identity';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { Clock } from '../../platform/clock/clock';
import type { ApiError } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { StartAuthorization } from '../oauth/start-authorization';
import { ConnectionChangeLog } from '../state/connection-change-log';
import type { Connection } from '../state/connection.entity';
import { nextFetchTime } from '../state/next-fetch-time';
import { ConnectionBuilder, type NewConnection } from './build-connection';

/** How a new connection begins. */
interface Beginning {
  readonly action: 'create' | 'migrate';
  /** Sets its state, in the transaction. `next` is the first date of its schedule. */
  readonly initialize: (connection: Connection, now: Date, next: Date) => void;
  /** Whether an authorization is started, if the integration uses OAuth. */
  readonly canAuthorize: boolean;
  /** The identity was deleted after the guard has read it. */
  readonly identityDeleted: () => ApiError;
}

interface StoredConnection {
  readonly connection: Connection;
  readonly authorizationUrl: string | null;
}

/** Stores a new connection with its data key. */
@Injectable()
export class StoreConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly builder: ConnectionBuilder,
    private readonly authorization: StartAuthorization,
    private readonly changes: ConnectionChangeLog,
    private readonly clock: Clock,
  ) {}

  async store(caller: Caller, given: NewConnection, beginning: Beginning): Promise<StoredConnection> {
    const { identity, integration } = given;
    const dataKey = await this.builder.generateKey();
    return this.em.fork().transactional(async (em) => {
      if (!(await lockIdentityForShare(em, identity.environmentUuid, identity.uuid))) throw beginning.identityDeleted();
      const now = this.clock.now();
      const connection = this.builder.build(em, given, dataKey, now);
      const environment = await em.findOneOrFail(Environment, identity.environmentUuid);
      beginning.initialize(connection, now, nextFetchTime(connection, now, environment));
      this.changes.record(em, caller, connection, {
        action: beginning.action,
        details: { integration_id: integration.id },
        events: [{ type: 'connection.created', data: { migrated: beginning.action === 'migrate' } }],
      });
      const authorizationUrl =
        usesOAuth(integration) && beginning.canAuthorize
          ? await this.authorization.start(em, caller, { connection, dataKey: dataKey.key }, integration)
          : null;
      return { connection, authorizationUrl };
    });
  }
}
