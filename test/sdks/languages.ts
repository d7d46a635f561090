// cspell:ignore cacheprovider Dskip testdox
import { join } from 'node:path';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder below that of the SDK. */
  readonly cwd?: string;
}

/** How the SDK of a language is built and installed, and how its own tests run. */
export interface Language {
  readonly prepare: readonly Command[];
  readonly test: Command;
  /** Matches a line for each test; the group is the result. */
  readonly result: RegExp;
  readonly passed: string;
}

const VENV = join(__dirname, '../../sdks/python');
const GO_TESTS = join(__dirname, '../../sdks/go/tests');

export const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    prepare: [
      { command: 'python3', args: ['-m', 'venv', '--clear', '--without-pip', VENV] },
      // What setuptools has built before would become part of the package.
      { command: 'rm', args: ['-rf', 'build'] },
      // As users install it: from a built package, not from the folder with its sources.
      {
        command: 'python3',
        args: [
          ...['-m', 'pip', '--python', join(VENV, 'bin/python'), '--disable-pip-version-check'],
          ...['install', '--quiet', '--no-compile', '-c', 'constraints.txt', '.[test]'],
        ],
      },
      // Here, because it takes seconds in which the service may still start; tests/test_types.py uses its cache.
      {
        command: join(VENV, 'bin/python'),
        args: [
          ...['-m', 'mypy', '--config-file', '../pyproject.toml', '--cache-dir', join(VENV, 'mypy-cache')],
          ...['-p', 'docfetch'],
        ],
        cwd: 'tests',
      },
    ],
    test: {
      command: join(VENV, 'bin/python'),
      args: ['-m', 'pytest', '-v', '--tb=short', '-p', 'no:cacheprovider', '.'],
      cwd: 'tests',
    },
    result: /^\S+::.+ (PASSED|FAILED|ERROR|SKIPPED)\b/gm,
    passed: 'PASSED',
  },
  go: {
    prepare: [
      { command: 'go', args: ['vet', './...'] },
      { command: 'go', args: ['test', '-c', '-vet=off', '-o', GO_TESTS, './tests'] },
    ],
    test: { command: GO_TESTS, args: ['-test.v'], cwd: 'tests' },
    result: /^ *--- (PASS|FAIL|SKIP):/gm,
    passed: 'PASS',
  },
  java: {
    prepare: [{ command: 'mvn', args: ['-B', '-ntp', '-q', 'clean', 'package', '-DskipTests'] }],
    test: { command: 'mvn', args: ['-B', '-ntp', 'surefire:test'] },
    result: /^--- (PASSED|FAILED|SKIPPED):/gm,
    passed: 'PASSED',
  },
  php: {
    prepare: [{ command: 'composer', args: ['validate', '--no-interaction', '--no-check-lock', '--no-check-publish'] }],
    test: { command: 'phpunit', args: ['--testdox'] },
    result: /^ (✔|✘|↩|∅|☢|⚠) /gmu,
    passed: '✔',
  },
};
