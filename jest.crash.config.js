const { transform, testEnvironment, setupFilesAfterEnv, globalSetup } = require('./jest.config.js').projects[1];

/**
 * Slow proofs against real servers: workers that are killed, databases that restart, lines that are cut. `.ci/run` installs
 * the servers. Repeat a run with `CRASH_SEED`; `CRASH_KILLS` says how many workers are killed.
 */
module.exports = {
  testTimeout: 1_200_000,
  displayName: 'crash',
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup,
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  maxWorkers: 1, // one file after the other: they measure nothing, but they need the machine
  testMatch: ['<rootDir>/test/crash/**/*.crash-spec.ts'],
};
