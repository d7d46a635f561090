const { availableParallelism } = require('node:os');

const shared = {
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json' }] },
};

/** Unit tests sit beside their file and need nothing; e2e tests talk to a real PostgreSQL started once per run. */
module.exports = {
  testTimeout: 60_000,
  // Each file leaves a little behind in its process; a worker that has grown is replaced by a new one.
  workerIdleMemoryLimit: '1GB',
  // Tests mostly wait for servers and each other: on two cores two workers take half the time of Jest's default of one.
  maxWorkers: Math.min(4, Math.max(2, availableParallelism() - 1)),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{src,tools,ui/src}/**/*.spec.ts',
        '<rootDir>/test/{fakes,guides,harness,sdk}/**/*.spec.ts',
      ],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/{e2e,contract}/**/*.e2e-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/conformance.ts'],
      globalSetup: '<rootDir>/test/setup/start-postgres.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    },
  ],
};
