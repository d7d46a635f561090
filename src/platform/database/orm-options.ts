import { type AnyEntity, type EntityClass, type MigrationObject } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { parse } from 'pg-connection-string';
import { createReusedBufferSocket } from '../buffers/reused-buffer-socket';
import type { Pooler } from '../config/pooler';
import { guardTransactions, IDLE_IN_TRANSACTION_MS } from './guard-transactions';
import { disableNamedStatements } from './prepared-statement';
import { releaseDeadConnections } from './release-dead-connections';
import { reportServerErrors } from './server-errors';
import { silentConnections } from './silent-connections';

/** The table of executed migrations. */
export const MIGRATION_TABLE = 'migration';

/** The options of the database connection, shared by the service, the CLI and the migrator. */
export function ormOptions(options: {
  databaseUrl: string;
  /** The pooler at `databaseUrl`; by default there is none. */
  pooler?: Pooler | null;
  /** Whether a replica answers requests, so that it has to be known what it must have replayed. */
  hasReplica?: boolean;
  pool: number;
  entities: EntityClass<AnyEntity>[];
  migrations: MigrationObject[];
  /** Is called with the SQLSTATE of each error of the server. */
  onServerError?: (sqlState: string) => void;
}) {
  return defineConfig({
    clientUrl: options.databaseUrl,
    entities: options.entities,
    extensions: [Migrator],
    forceUtcTimezone: true,
    pool: { min: 0, max: options.pool, idleTimeoutMillis: 30_000 },
    driverOptions: {
      application_name: 'docfetch',
      connectionTimeoutMillis: 10_000,
      stream: () => createReusedBufferSocket(),
      // The ORM reads host, name and password from the URL, but not the TLS options.
      ssl: parse(options.databaseUrl).ssl,
      ...(options.pooler ? {} : { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
      onPoolCreated: (pool: Pool) => {
        if (options.onServerError) reportServerErrors(pool, options.onServerError);
        guardTransactions(pool, { limitsIdle: Boolean(options.pooler), notesPositions: options.hasReplica ?? false });
        if (options.pooler === 'transaction') disableNamedStatements(pool);
        pool.on('connect', (client) => silentConnections.watch(client));
        releaseDeadConnections(pool); // last: it compares the text that the ORM sends
      },
    },
    logger: () => undefined, // errors are thrown; successful queries are not logged
    migrations: {
      migrationsList: options.migrations,
      tableName: MIGRATION_TABLE,
      snapshot: false,
      transactional: true,
    },
  });
}
