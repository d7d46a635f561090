import { Injectable } from '@nestjs/common';
import { TransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';
import type { ConnectionFacts } from './connection-facts';
import { type ConnectionView, connectionView } from './connection.view';
import { FETCH_NOW } from './manual-fetches';

/** Shows connections with what is left of their manual fetches: one statement, however many connections there are. */
@Injectable()
export class ShowConnections {
  constructor(private readonly throttler: TransactionalThrottler) {}

  /** In the order given. */
  async run(connections: readonly ConnectionFacts[]): Promise<ConnectionView[]> {
    const allowances = await this.throttler.look(
      FETCH_NOW.name,
      connections.map(({ uuid }) => uuid),
    );
    return connections.map((connection, at) => connectionView(connection, allowances[at]!));
  }

  async one(connection: ConnectionFacts): Promise<ConnectionView> {
    return (await this.run([connection]))[0]!;
  }
}
