import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../demo/free-port';
import { Service, settingsOfFreshCheckout } from '../demo/service';
import { configurationFor, createTestData } from './test-data';

const ROOT = resolve(__dirname, '../../..');
const VENV = join(ROOT, 'dist/schemathesis');
const VERSION = '4.32.5';
const SECONDS = 90;
/** Limits of requests would hide everything else. */
const UNLIMITED = { RATE_LIMIT_PER_KEY: '1000000', RATE_LIMIT_PER_TOKEN: '1000000', RATE_LIMIT_FAILURES: '1000000' };
/** The schema cannot say that a cursor, an id or the input of an integration exists: valid input may be rejected. */
const EXCLUDED_CHECKS = 'positive_data_acceptance';
/** The pages of an authorization, whose link is used up by the first request. */
const BROWSER_PATHS = '^/oauth/';

/** `npm run schemathesis`: sends valid and invalid requests of every operation in openapi.json to the built service. */
async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-schemathesis-'));
  chmodSync(folder, 0o755); // the account of the embedded database has to reach it
  install();
  const settings = { ...settingsOfFreshCheckout(), ...UNLIMITED, LOG_LEVEL: 'error' };
  const service = new Service({ root: ROOT, dataDir: folder, port: await freePort(3300), settings });
  process.on('exit', () => service.kill());
  await service.ready();
  const data = await createTestData(service);
  const file = (name: string) => join(folder, name);
  const [configuration, document, report] = [file('schemathesis.toml'), file('openapi.json'), file('report.xml')];
  writeFileSync(configuration, configurationFor(data));
  writeFileSync(document, documentForAnyLanguage());
  const { status } = spawnSync(
    join(VENV, 'bin/schemathesis'),
    [
      ...['--config-file', configuration, 'run', document, '--url', service.base, '--no-color'],
      ...['--header', `X-API-KEY: ${data.apiKey}`, '--exclude-path-regex', BROWSER_PATHS],
      ...['--exclude-checks', EXCLUDED_CHECKS, '--phases', 'examples,coverage,fuzzing', '--max-examples', '20'],
      ...['--max-time', String(SECONDS), '--generation-deterministic', '--continue-on-failure', '--warnings', 'off'],
      ...['--report', 'junit', '--report-junit-path', report],
    ],
    { stdio: 'inherit', cwd: folder },
  );
  await service.stop();
  const { tests, failed } = countsOf(report);
  process.stdout.write(`\n${tests - failed} passed, ${status !== 0 && failed === 0 ? 1 : failed} failed\n`);
  if (status === 0) rmSync(folder, { recursive: true });
  return status === 0 && tests > 0 ? 0 : 1;
}

/** The document offers the languages that there are, and the service treats others as English instead of rejecting them. */
function documentForAnyLanguage(): string {
  const isLang = (value: unknown) => (value as { name?: unknown } | null)?.name === 'Lang';
  const document: unknown = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'), (_, value: unknown) =>
    isLang(value) ? { ...(value as object), schema: { type: 'string' } } : value,
  );
  return JSON.stringify(document);
}

function install(): void {
  const stamp = join(VENV, VERSION);
  if (existsSync(stamp)) return;
  run('python3', ['-m', 'venv', '--clear', VENV]);
  run(join(VENV, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]);
  writeFileSync(stamp, '');
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${command} failed.`);
}

/** The numbers of operations: those with a failure or an error failed. */
function countsOf(report: string): { tests: number; failed: number } {
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const cases = xml.split('<testcase').slice(1);
  return { tests: cases.length, failed: cases.filter((one) => /<(failure|error)\b/.test(one)).length };
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.stdout.write('0 passed, 1 failed\n');
    process.exit(1);
  },
);
