import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Shutdown } from '../platform/availability/shutdown';
import type { Settings } from '../platform/config/settings';
import { AppModule } from './app.module';
import { openDatabase, type OpenDatabase } from './database/open-database';
import { createDevelopmentLink, openDevelopmentEnvironment } from './development/development-environment';
import { welcome } from './development/welcome';
import { configureApp } from './http/configure-app';
import { startupError } from './startup-error';
import { verifyInstallation } from './verify-installation';

export interface RunningService {
  /** The line that reports that the service is ready. */
  readonly ready: string;
  /** The lines for a developer who starts the service on its embedded database; for others none. */
  welcome(): Promise<readonly string[]>;
  /** Ends running work, then the database. */
  stop(): Promise<void>;
}

/** The output of an entry point: the process, or that of a test. */
export interface Output {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Starts the service. Resolves with null when it cannot start, after one line with the reason on standard error. */
export async function startService(settings: Settings, { stdout, stderr }: Output): Promise<RunningService | null> {
  const print = (line: string) => void stdout.write(`${line}\n`);
  let database: OpenDatabase | undefined;
  try {
    database = await openDatabase(settings, print);
    if (database.ownerPid !== null) {
      stderr.write(
        `Docfetch is already running on ${settings.dataDir} (process ${database.ownerPid}). Stop it first, or set another DATA_DIR.\n`,
      );
      return null;
    }
    const away = await verifyInstallation(database, settings);
    if (away) print(`Documents cannot be stored or read for now: ${away}. It is tried again as they come.`);
    return await listen(settings, database);
  } catch (error) {
    await database?.close();
    const { code, port = settings.port } = error as NodeJS.ErrnoException & { port?: number };
    const isInUse = code === 'EADDRINUSE';
    const variable = port === settings.smtpPort ? 'SMTP_PORT' : 'PORT';
    stderr.write(
      isInUse
        ? `Port ${port} is in use. Is Docfetch running already? Set ${variable} to use another one.\n`
        : `Docfetch could not start: ${startupError(error)}\n`,
    );
    return null;
  }
}

async function listen(settings: Settings, database: OpenDatabase): Promise<RunningService> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings.with({ databaseUrl: database.url })),
    { bufferLogs: true, bodyParser: false },
  );
  configureApp(app);
  try {
    await app.listen(settings.port);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  return {
    ready: readyLine(settings, port),
    async welcome() {
      const isForDevelopers = !settings.production && settings.databaseUrl === null && settings.runsApi;
      if (!isForDevelopers) return [];
      const access = await openDevelopmentEnvironment(app, settings.publicUrl);
      return welcome(settings.publicUrl, access, await createDevelopmentLink(app));
    },
    stop: () => (stopping ??= end(app, database, settings)),
  };
}

/** From the beginning the process is not ready; its server is closed after the load balancers have had time to notice that. */
async function end(
  app: NestExpressApplication,
  database: OpenDatabase,
  { runsApi, shutdownDelaySeconds }: Settings,
): Promise<void> {
  try {
    app.get(Shutdown).begin();
    if (runsApi) await pause(shutdownDelaySeconds * 1000);
    await app.close();
  } finally {
    await database.close();
  }
}

/** In production an object, as all lines of the log are; otherwise a sentence for the developer who reads it. */
function readyLine({ production, role, publicUrl }: Settings, port: number): string {
  if (production) {
    return JSON.stringify({ level: 30, time: Date.now(), msg: 'Docfetch is ready', role, port, address: publicUrl });
  }
  return `Docfetch is ready at ${publicUrl} (role ${role}, port ${port}; API documentation: ${publicUrl}/docs)`;
}
