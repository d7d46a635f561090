import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { AnyEntity, EntityClass, MigrationObject } from '@mikro-orm/core';
import { type DynamicModule, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Metrics } from '../metrics/metrics';
import { RequestScope } from '../request/request-scope';
import { ormOptions } from './orm-options';
import { countDatabaseErrors } from './server-errors';

/** Opens the database with the entities and migrations that the entry points list. A request has the entity manager of its scope. */
@Module({})
export class DatabaseModule {
  static with(entities: EntityClass<AnyEntity>[], migrations: MigrationObject[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          inject: [Settings, Metrics],
          useFactory: (settings: Settings, metrics: Metrics) => ({
            ...ormOptions({
              databaseUrl: settings.databaseUrl!,
              pooler: settings.databasePooler,
              hasReplica: settings.databaseReplicaUrl !== null,
              pool: settings.databasePool,
              entities,
              migrations,
              onServerError: countDatabaseErrors(metrics),
            }),
            registerRequestContext: false,
            context: () => RequestScope.get()?.entityManager,
          }),
        }),
      ],
    };
  }
}
