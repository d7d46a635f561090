#!/usr/bin/env node
import './check-node';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { I18nService } from 'nestjs-i18n';
import { CliModule } from './cli/cli.module';
import { sentence } from './cli/print';
import { openDatabase } from './open-database';
import { ApiError, tooMany } from './platform/http/errors';
import { LimitExceeded } from './platform/http/limit-exceeded';
import { settingsOrExit } from './settings-or-exit';

/** Runs one command and ends: 0 when it did what was asked, else 1 with one line that says why. */
async function main(): Promise<number> {
  // `api`: the command line runs no fetches and pushes.
  const settings = settingsOrExit().with({
    role: 'api',
    logLevel: 'silent',
    databasePool: 4,
    metricsPort: null,
    metricsToken: null,
  });
  const database = await openDatabase(settings, () => undefined);
  let app: INestApplicationContext | null = null;
  let status = 0;
  const fail = (thrown: Error) => {
    status = 1;
    // Commander has said what it did not understand.
    if ((thrown as { code?: string }).code?.startsWith('commander.')) return;
    const error = thrown instanceof LimitExceeded ? tooMany(thrown.code, thrown.detail.timeToBlockExpire) : thrown;
    process.stderr.write(
      `${error instanceof ApiError && app ? sentence(app.get(I18nService), error) : error.message}\n`,
    );
  };
  try {
    app = await CommandFactory.createWithoutRunning(CliModule.with(settings.with({ databaseUrl: database.url })), {
      logger: false,
      errorHandler: (error) => {
        // Commander ends --help and --version this way too.
        if ((error as { exitCode?: number }).exitCode !== 0) fail(error);
      },
      serviceErrorHandler: fail,
      outputConfiguration: { outputError: (text, write) => write(text.replace(/^error: /, '')) },
      cliName: 'docfetch',
    });
    await CommandFactory.runApplication(app);
    await app.close();
  } catch (error) {
    if ((error as { exitCode?: number }).exitCode !== 0) fail(error as Error);
  } finally {
    await database.close();
  }
  return status;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
