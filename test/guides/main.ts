import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../demo/free-port';
import { Mailbox } from '../demo/mailbox';
import { Service, settingsOfFreshCheckout } from '../demo/service';
import { type Guide, type Language, isTranslated, LANGUAGES, readGuide, type RunStep } from './guide';
import { type Outcome, runSteps } from './shell';
import { readerVariables } from './reader';
import { runSamples } from './api-samples';
import { ExpectedOutput } from './expected-output';

const ROOT = resolve(__dirname, '../../..');
const GUIDES = join(ROOT, 'docs', 'guides');

const print = (line = '') => process.stdout.write(`${line}\n`);

/** Counts passed and failed checks: each step of a guide and each expected output is one. */
class Tally {
  passed = 0;
  failed = 0;

  pass(): void {
    this.passed++;
  }

  fail(what: string, details: readonly string[]): void {
    this.failed++;
    print(`  ✗ ${what}`);
    for (const line of details) print(`      ${line}`);
  }
}

/**
 * `npm run guides:check [name…]`: starts the built service on an embedded database and executes every step of the guides,
 * as a reader would; then the steps that exist in another language, once in each. Returns whether all checks passed.
 */
async function main(wanted: readonly string[]): Promise<boolean> {
  const guides = readdirSync(GUIDES)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => readGuide(file.slice(0, -'.md'.length), readFileSync(join(GUIDES, file), 'utf8')))
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const tally = new Tally();
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-guides-'));
  chmodSync(folder, 0o755); // the account of the embedded database has to reach it
  if (guides.length > 0) await checkAll(guides, null, join(folder, 'sh'), tally);
  for (const language of LANGUAGES) {
    const translated = guides.filter(({ steps }) => steps.some((step) => isTranslated(step, language)));
    if (translated.length > 0) await checkAll(translated, language, join(folder, language), tally);
  }
  if (wanted.length === 0 || wanted.includes('api-samples')) await checkSamples(join(folder, 'api-samples'), tally);
  else if (guides.length === 0) tally.fail('there is no such guide', wanted);
  print();
  print(`${tally.passed} passed, ${tally.failed} failed`);
  if (tally.failed === 0) rmSync(folder, { recursive: true });
  else print(`What the guides printed, and the log of the service: ${folder}`);
  return tally.failed === 0;
}

async function checkSamples(folder: string, tally: Tally): Promise<void> {
  const [started, before] = [performance.now(), tally.passed];
  print('The samples of the API reference');
  for await (const { name, problem } of runSamples(ROOT, folder)) {
    if (problem === null) tally.pass();
    else tally.fail(name, [problem]);
  }
  print(`  ${tally.passed - before} passed in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Checks guides on a service of its own: each language begins with an empty database, as its reader does. */
async function checkAll(
  guides: readonly Guide[],
  language: Language | null,
  dataDir: string,
  tally: Tally,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort(3100);
  // The reader of the guide that receives mails sets these.
  const settings = {
    ...settingsOfFreshCheckout(),
    INBOX_DOMAIN: 'inbox.example.com',
    SMTP_PORT: String(await freePort(port + 1)),
  };
  const service = new Service({ root: ROOT, dataDir, port, settings, args: ['--welcome'] });
  const mailbox = await Mailbox.open();
  process.on('exit', () => service.kill());
  try {
    await service.ready();
    const variables = await readerVariables(service, mailbox);
    for (const guide of guides) {
      await check(guide, language, service, join(dataDir, 'guides', guide.name), variables, tally);
    }
  } finally {
    await service.stop();
    await mailbox.stop();
  }
}

async function check(
  guide: Guide,
  language: Language | null,
  service: Service,
  folder: string,
  variables: NodeJS.ProcessEnv,
  tally: Tally,
): Promise<void> {
  const started = performance.now();
  print(language ? `${guide.name} in ${language}` : guide.name);
  if (language === null) showExceptions(guide, tally);
  const before = tally.passed;
  const answers = new ExpectedOutput();
  mkdirSync(folder, { recursive: true });
  let at = 0;
  const env: NodeJS.ProcessEnv = { ...service.env, ...variables, DOCFETCH_URL: service.base };
  delete env.PORT; // the reader's shell differs from the service's
  for await (const outcome of runSteps(guide.steps, { folder, cwd: ROOT, env, language })) {
    const step = guide.steps[at++]!;
    if (outcome.problem !== null) {
      const details = [...lines('printed', outcome.stdout), ...lines('complained', outcome.stderr)];
      tally.fail(`line ${step.line}: ${outcome.problem}`, details);
      break;
    }
    tally.pass();
    if (step.kind === 'run' && step.answer) checkAnswer(step, step.answer, outcome, answers, tally);
  }
  // Steps that were not reached count as failed.
  for (const step of guide.steps.slice(at)) tally.fail(`line ${step.line}: not reached`, []);
  print(`  ${tally.passed - before} passed in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function showExceptions({ problems, exceptions }: Guide, tally: Tally): void {
  for (const problem of problems) tally.fail(problem, []);
  for (const { line, language, reason } of exceptions) print(`  - line ${line} (${language}) not checked: ${reason}`);
}

function checkAnswer(
  step: RunStep,
  answer: NonNullable<RunStep['answer']>,
  { stdout }: Outcome,
  answers: ExpectedOutput,
  tally: Tally,
): void {
  let differences: string[];
  try {
    differences =
      answer.language === 'text'
        ? answers.textDifferences(answer.text, stdout)
        : answers.differences(JSON.parse(answer.text), JSON.parse(stdout));
  } catch (error) {
    differences = [(error as Error).message, ...lines('printed', stdout)];
  }
  if (differences.length === 0) tally.pass();
  else tally.fail(`line ${answer.line}: the commands of line ${step.line} answer something else`, differences);
}

function lines(what: string, text: string): string[] {
  if (text.trim() === '') return [];
  return [`it ${what}:`, ...text.trim().split('\n').slice(-30)];
}

main(process.argv.slice(2)).then(
  (held) => process.exit(held ? 0 : 1),
  (error: unknown) => {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    print('0 passed, 1 failed');
    process.exit(1);
  },
);
