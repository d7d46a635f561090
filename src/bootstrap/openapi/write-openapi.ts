import '../check-node';
import { NestFactory } from '@nestjs/core';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { AppModule } from '../app.module';
import { Settings } from '../../platform/config/settings';
import { describeApi } from './describe-api';

const FILE = 'openapi.json';

/** The document of the built application, generated without a database. */
async function generate(): Promise<string> {
  // Dummy settings: nothing is opened, and no key is generated.
  const key = `none:${Buffer.alloc(32).toString('base64')}`;
  const settings = Settings.fromEnvironment({
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    ENCRYPTION_KEYS: key,
    TOKEN_KEYS: key,
  });
  const app = await NestFactory.create(AppModule.with(settings), { preview: true, logger: ['error'] });
  return `${JSON.stringify(describeApi(app), null, 2)}\n`;
}

/** Writes openapi.json (`npm run openapi`), or with `--check` only compares the committed one. */
async function main(): Promise<void> {
  const text = await generate();
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
    return;
  }
  const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  if (committed === text) return;
  const [is, shall] = [committed.split('\n'), text.split('\n')];
  const line = shall.findIndex((part, index) => part !== is[index]);
  process.stderr.write(
    `${FILE} is stale: run \`npm run openapi\` and commit it. The first difference is in line ${line + 1}:\n- ${is[line] ?? ''}\n+ ${shall[line] ?? ''}\n`,
  );
  process.exitCode = 1;
}

void main();
