import './check-node';
import { NestFactory } from '@nestjs/core';
import { writeFileSync } from 'node:fs';
import { AppModule } from './app.module';
import { Settings } from './platform/config';
import { describeApi } from './openapi';

/** Writes openapi.json from the built application, without a database (`npm run openapi`). */
async function main(): Promise<void> {
  // Settings that lead nowhere: nothing is opened, and no key is made.
  const key = `none:${Buffer.alloc(32).toString('base64')}`;
  const settings = Settings.fromEnvironment({
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    ENCRYPTION_KEYS: key,
    TOKEN_KEYS: key,
  });
  const app = await NestFactory.create(AppModule.with(settings), { preview: true, logger: false });
  writeFileSync('openapi.json', `${JSON.stringify(describeApi(app), null, 2)}\n`);
}

void main();
