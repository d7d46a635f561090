import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/bootstrap/app.module';
import { CreateEnvironment } from '../../src/identities/environments/create-environment';
import { SetProvisioning } from '../../src/identities/environments/set-provisioning';
import { Settings } from '../../src/platform/config/settings';
import { copyConnection } from '../../test/builders/copy-connection';

/**
 * Creates clients with these push URLs, each with a copy of a connection whose documents are sent. Returns their environments
 * in the order of the URLs.
 */
export async function createClients(
  dataDir: string,
  databaseUrl: string,
  connection: string,
  urls: readonly string[],
): Promise<string[]> {
  const settings = Settings.fromEnvironment({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const quiet = settings.with({ role: 'api', logLevel: 'silent', databasePool: 4 });
  const app = await NestFactory.createApplicationContext(AppModule.with(quiet), { logger: false });
  try {
    const environments: string[] = [];
    for (const url of urls) {
      const given = {
        clientName: 'Bench',
        name: 'Bench',
        kind: 'TEST',
        returnOrigins: [],
        fetchIntervalMinutes: 1440,
      } as const;
      const { environment } = await app.get(CreateEnvironment, { strict: false }).create('bench', given);
      const push = { strategy: 'PUSH', url, auth: 'NONE', secret: null } as const;
      await app.get(SetProvisioning, { strict: false }).set('bench', environment.uuid, push);
      await copyConnection(app, connection, environment.uuid);
      environments.push(environment.uuid);
    }
    return environments;
  } finally {
    await app.close();
  }
}
