// cspell:ignore cacheprovider Dskip
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

export const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    prepare: [
      { command: 'python3', args: ['-m', 'venv', '--clear', VENV] },
      // What setuptools has built before would become part of the package.
      { command: 'rm', args: ['-rf', 'build'] },
      // As users install it: from a built package, not from the folder with its sources.
      { command: join(VENV, 'bin/pip'), args: ['install', '--quiet', '--disable-pip-version-check', '.[test]'] },
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
    prepare: [{ command: 'go', args: ['vet', './...'] }],
    test: { command: 'go', args: ['test', '-count=1', '-v', '.'] },
    result: /^ *--- (PASS|FAIL|SKIP):/gm,
    passed: 'PASS',
  },
  java: {
    prepare: [{ command: 'mvn', args: ['-B', '-ntp', '-q', 'clean', 'package', '-DskipTests'] }],
    test: { command: 'mvn', args: ['-B', '-ntp', 'surefire:test'] },
    result: /^--- (PASSED|FAILED|SKIPPED):/gm,
    passed: 'PASSED',
  },
};
