const { transform, testEnvironment, setupFilesAfterEnv } = require('./jest.config.js').projects[1];

/** The hosted UI in a real browser, against the real application; `.ci/run` installs Chromium. Without one it says so, and fails. */
module.exports = {
  testTimeout: 180_000,
  displayName: 'ui',
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup: '<rootDir>/test/ui/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/ui/**/*.ui-spec.ts'],
};
