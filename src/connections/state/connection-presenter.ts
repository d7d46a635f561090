import { Injectable } from '@nestjs/common';
import { TransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';
import type { ConnectionRecord } from './connection-record';
import { type ConnectionView, connectionView } from './views/connection.view';
import { FETCH_NOW } from './fetch-now-quota';

/** Builds the views of connections with their remaining quota of manual fetches, which one statement reads for all. */
@Injectable()
export class ConnectionPresenter {
  constructor(private readonly throttler: TransactionalThrottler) {}

  /** Keeps the order of `connections`. */
  async present(connections: readonly ConnectionRecord[]): Promise<ConnectionView[]> {
    const allowances = await this.throttler.readRemaining(
      FETCH_NOW.name,
      connections.map(({ uuid }) => uuid),
    );
    return connections.map((connection, index) => connectionView(connection, allowances[index]!));
  }

  async presentOne(connection: ConnectionRecord): Promise<ConnectionView> {
    return (await this.present([connection]))[0]!;
  }
}
