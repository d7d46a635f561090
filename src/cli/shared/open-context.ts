import { type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { openDatabase } from '../../bootstrap/database/open-database';
import { type Tolerated, verifyInstallation } from '../../bootstrap/verify-installation';
import type { Settings } from '../../platform/config/settings';
import { ToldChanges } from '../../platform/replica/told-changes';

export interface OpenContext {
  readonly context: INestApplicationContext;
  readonly close: () => Promise<void>;
}

/**
 * Starts a module on the service's database, without workers, after the startup check.
 * @throws Error in one sentence when the installation cannot be used with these settings
 */
export async function openContext(
  configured: Settings,
  tolerated: Tolerated,
  moduleWith: (settings: Settings) => DynamicModule,
): Promise<OpenContext> {
  // `api`: the command line runs no fetches and pushes.
  const settings = configured.with({
    role: 'api',
    logLevel: 'silent',
    databasePool: 4,
    metricsPort: null,
    metricsToken: null,
    smtpPort: null,
  });
  const database = await openDatabase(settings, () => undefined);
  try {
    await verifyInstallation(database, settings, tolerated);
    const context = await NestFactory.createApplicationContext(
      moduleWith(settings.with({ databaseUrl: database.url })),
      {
        logger: false,
        abortOnError: false,
      },
    );
    const close = async () => {
      try {
        await context.get(ToldChanges, { strict: false }).noteAll();
      } finally {
        try {
          await context.close();
        } finally {
          await database.close();
        }
      }
    };
    return { context, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
