import { type AnyEntity, type EntityClass, type MigrationObject } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { parse } from 'pg-connection-string';
import { releaseDeadConnections } from './release-dead-connections';
import { createReusedBufferSocket } from '../buffers/reused-buffer-socket';

/** The table of executed migrations. */
export const MIGRATION_TABLE = 'migration';

/** The options of the database connection, shared by the service, the CLI and the migrator. */
export function ormOptions(options: {
  databaseUrl: string;
  pool: number;
  entities: EntityClass<AnyEntity>[];
  migrations: MigrationObject[];
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
      // A worker that freezes inside a transaction must not hold its locks, or dead rows of the queue, indefinitely.
      idle_in_transaction_session_timeout: 60_000,
      onPoolCreated: releaseDeadConnections,
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
