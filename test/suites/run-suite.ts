import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findSpecFiles, REPEATED_RUNS, ROOT, RUNS } from './spec-files';

/** A file to which every spec file appends `milliseconds of processor time, milliseconds, path`, with its child processes. */
const TIMES = process.env.DOCFETCH_SPEC_TIMES;

/**
 * Runs all spec files of a suite in one Jest file. Jest loads every module again for each of its files, and the
 * application has 2,000 modules: a suite loads them once. A run that names spec files does not use suites.
 */
export function runSuite(name: string): void {
  const run = [...RUNS, ...REPEATED_RUNS].find(({ suites }) => name in suites)!;
  for (const file of findSpecFiles(run.suites[name]!, run)) {
    describe(relative(ROOT, file), () => {
      beforeAll(resetRootLogger);
      if (TIMES) recordTime(relative(ROOT, file), TIMES);
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- the files are not known before
      require(file);
    });
  }
}

/**
 * nestjs-pino keeps the logger of the first application of a process, but a test reads the log of its own application. The
 * package has a function for tests that forgets it, which its index does not export.
 */
function resetRootLogger(): void {
  const folder = dirname(require.resolve('nestjs-pino'));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only its path leads there
  (require(join(folder, 'PinoLogger.js')) as { __resetOutOfContextForTests(): void }).__resetOutOfContextForTests();
}

function recordTime(file: string, target: string): void {
  let began: number;
  let used: number;
  beforeAll(() => {
    began = performance.now();
    used = processorMs();
  });
  afterAll(() => {
    appendFileSync(target, `${Math.round(processorMs() - used)} ${Math.round(performance.now() - began)} ${file}\n`);
  });
}

/** The processor time of this process and, on Linux, of its child processes that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

/** Linux counts in ticks of 10 ms, in fields 16 and 17 of proc_pid_stat(5). */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(afterName[13]) + Number(afterName[14])) * 10;
}
