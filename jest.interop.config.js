const { id, transform, testEnvironment, setupFilesAfterEnv, globalSetup } = require('./jest.config.js').projects[1];

/** Drives our side against real servers of the other side; `.ci/run` installs them. A missing server is a failure, not a skip. */
module.exports = {
  testTimeout: 120_000,
  displayName: 'interop',
  id,
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup,
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  testMatch: ['<rootDir>/test/interop/**/*.interop-spec.ts'],
};
