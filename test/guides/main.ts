import { Mutex } from 'async-mutex';
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

/** The ports of the programs that guides start: a guide that names one has them alone. */
const FIXED_PORTS = /:(400\d|4100|3900)\b/;
const fixedPorts = new Mutex();

const textOf = ({ steps }: Guide): string => JSON.stringify(steps);
const print = (line = '') => process.stdout.write(`${line}\n`);
let passed = 0;
let failed = 0;

/** The checks of one guide: each step and each expected output is one. Printed at its end, because guides run side by side. */
class Report {
  private readonly started = performance.now();
  private readonly lines: string[];
  private passed = 0;

  constructor(title: string) {
    this.lines = [title];
  }

  say(line: string): void {
    this.lines.push(line);
  }

  pass(): void {
    this.passed++;
  }

  fail(what: string, details: readonly string[] = []): void {
    failed++;
    this.lines.push(`  ✗ ${what}`, ...details.map((line) => `      ${line}`));
  }

  end(): void {
    passed += this.passed;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    print([...this.lines, `  ${this.passed} passed in ${seconds} s`].join('\n'));
  }
}

/**
 * `npm run guides:check [name…]`: starts the built service on an embedded database and executes every step of the guides,
 * as a reader would, and side by side the steps that exist in another language, once in each. Returns whether all checks
 * passed.
 */
async function main(wanted: readonly string[]): Promise<boolean> {
  const guides = readdirSync(GUIDES)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => readGuide(file.slice(0, -'.md'.length), readFileSync(join(GUIDES, file), 'utf8')))
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (guides.length === 0 && !wanted.includes('api-samples'))
    throw new Error(`There is no guide ${wanted.join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'docfetch-guides-'));
  chmodSync(folder, 0o755); // the account of the embedded database has to reach it
  let from = 3100;
  const runs = [null, ...LANGUAGES].map(async (language) => {
    const inLanguage = guides.filter(({ steps }) => !language || steps.some((step) => isTranslated(step, language)));
    if (inLanguage.length > 0) await checkAll(inLanguage, language, join(folder, language ?? 'sh'), (from += 20));
  });
  await Promise.all(runs);
  if (wanted.length === 0 || wanted.includes('api-samples')) await checkSamples(join(folder, 'api-samples'));
  print();
  print(`${passed} passed, ${failed} failed`);
  if (failed === 0) rmSync(folder, { recursive: true });
  else print(`What the guides printed, and the log of the service: ${folder}`);
  return failed === 0;
}

async function checkSamples(folder: string): Promise<void> {
  const report = new Report('The samples of the API reference');
  for await (const { name, problem } of runSamples(ROOT, folder)) {
    if (problem === null) report.pass();
    else report.fail(name, [problem]);
  }
  report.end();
}

/** Checks guides on a service of its own: each language begins with an empty database, as its reader does. */
async function checkAll(
  guides: readonly Guide[],
  language: Language | null,
  dataDir: string,
  firstPort: number,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort(firstPort);
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
      const checkGuide = () => check(guide, language, service, join(dataDir, 'guides', guide.name), variables);
      await (FIXED_PORTS.test(textOf(guide)) ? fixedPorts.runExclusive(checkGuide) : checkGuide());
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
): Promise<void> {
  const report = new Report(language ? `${guide.name} in ${language}` : guide.name);
  if (language === null) showExceptions(guide, report);
  const answers = new ExpectedOutput();
  mkdirSync(folder, { recursive: true });
  let at = 0;
  const env: NodeJS.ProcessEnv = { ...service.env, ...variables, DOCFETCH_URL: service.base };
  delete env.PORT; // the reader's shell differs from the service's
  if (!textOf(guide).includes('SMTP_PORT')) delete env.SMTP_PORT; // another service of the reader could not use it
  for await (const outcome of runSteps(guide.steps, { folder, cwd: ROOT, env, language })) {
    const step = guide.steps[at++]!;
    if (outcome.problem !== null) {
      const details = [...lines('printed', outcome.stdout), ...lines('complained', outcome.stderr)];
      report.fail(`line ${step.line}: ${outcome.problem}`, details);
      break;
    }
    report.pass();
    if (step.kind === 'run' && step.answer) checkAnswer(step, step.answer, outcome, answers, report);
  }
  // Steps that were not reached count as failed.
  for (const step of guide.steps.slice(at)) report.fail(`line ${step.line}: not reached`);
  report.end();
}

function showExceptions({ problems, exceptions }: Guide, report: Report): void {
  for (const problem of problems) report.fail(problem);
  for (const { line, language, reason } of exceptions)
    report.say(`  - line ${line} (${language}) not checked: ${reason}`);
}

function checkAnswer(
  step: RunStep,
  answer: NonNullable<RunStep['answer']>,
  { stdout }: Outcome,
  answers: ExpectedOutput,
  report: Report,
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
  if (differences.length === 0) report.pass();
  else report.fail(`line ${answer.line}: the commands of line ${step.line} answer something else`, differences);
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
