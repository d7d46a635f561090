const { spawnSync } = require('node:child_process');
const { availableParallelism } = require('node:os');
const { argv, execArgv, execPath, exit } = require('node:process');
const { single, specs, suites } = require('./test/suites/run-mode.js');

// Packages that are ES modules need options of Node, so that `npx jest` starts Node once more with them.
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
if (!OPTIONS.every((option) => execArgv.includes(option))) {
  exit(spawnSync(execPath, [...execArgv, ...OPTIONS, ...argv.slice(1)], { stdio: 'inherit' }).status ?? 1);
}

const shared = {
  // For all configurations: it names the folder of compiled files, which they share.
  id: 'docfetch',
  testEnvironment: '<rootDir>/test/setup/plain-globals.ts',
  // Its options are in .swcrc.
  transform: { '^.+\\.ts$': '@swc/jest' },
  // `import('./x.js')`, which Node takes as it is, names x.ts here.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
};

/** Unit tests sit beside their file and need nothing; e2e tests talk to a real PostgreSQL started once per run. */
module.exports = {
  testTimeout: 60_000,
  // Each suite leaves a little behind in its process; a worker that has grown is replaced by a new one.
  workerIdleMemoryLimit: '1GB',
  // Tests mostly wait for servers and each other: on two cores three workers take less than half the time of Jest's default of one.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  ...(single ? {} : { testSequencer: '<rootDir>/test/suites/longest-first.js' }),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        ...suites('unit'),
        ...specs(
          '<rootDir>/{src,tools,ui/src,console/src,connect/src,sdk/cli/src}/**/*.spec.ts',
          '<rootDir>/test/{fakes,guides,harness,sdk,suites}/**/*.spec.ts',
        ),
      ],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: [...suites('e2e'), ...specs('<rootDir>/test/{e2e,contract}/**/*.e2e-spec.ts')],
      setupFilesAfterEnv: ['<rootDir>/test/setup/conformance.ts'],
      globalSetup: '<rootDir>/test/setup/start-postgres.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    },
  ],
};
