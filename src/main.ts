import './bootstrap/check-node';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './bootstrap/app.module';
import { openDevelopmentEnvironment } from './bootstrap/development/development-environment';
import { welcome } from './bootstrap/development/welcome';
import { configureApp } from './bootstrap/http/configure-app';
import { openDatabase } from './bootstrap/database/open-database';
import { loadSettings } from './bootstrap/load-settings';
import { verifyInstallation } from './bootstrap/verify-installation';
import { startupError } from './bootstrap/startup-error';

const say = (line: string) => process.stdout.write(`${line}\n`);

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Starts the service: API, workers, or both, according to `ROLE`. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const database = await openDatabase(settings, say);
  if (database.ownerPid !== null) {
    fail(
      `Docfetch is already running on ${settings.dataDir} (process ${database.ownerPid}). Stop it first, or set another DATA_DIR.`,
    );
  }
  try {
    const away = await verifyInstallation(database, settings);
    if (away) say(`Documents cannot be stored or read for now: ${away}. It is tried again as they come.`);
  } catch (error) {
    await database.close();
    throw error;
  }
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings.with({ databaseUrl: database.url })),
    {
      bufferLogs: true,
      bodyParser: false,
    },
  );
  configureApp(app);

  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= app.close().finally(() => database.close()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stop().then(() => process.exit(0)));
  }

  try {
    await app.listen(settings.port);
  } catch (error) {
    await stop();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    fail(`Port ${settings.port} is in use. Is Docfetch running already? Set PORT to use another one.`);
  }
  say(`Docfetch is ready at ${settings.publicUrl} (API documentation: ${settings.publicUrl}/docs)`);
  const isForDevelopers = !settings.production && settings.databaseUrl === null && settings.runsApi;
  if (isForDevelopers && process.argv.includes('--welcome')) {
    const access = await openDevelopmentEnvironment(app, settings.publicUrl);
    welcome(settings.publicUrl, access).forEach(say);
  }
}

main().catch((error: unknown) => fail(`Docfetch could not start: ${startupError(error)}`));
