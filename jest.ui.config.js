const { transform, testEnvironment, setupFilesAfterEnv, globalSetup, globalTeardown } =
  require('./jest.config.js').projects[1];

/** The hosted UI in a real browser, against the real application; `.ci/run` installs Chromium. Without one it fails. */
module.exports = {
  testTimeout: 180_000,
  displayName: 'ui',
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup,
  globalTeardown,
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/ui/**/*.ui-spec.ts'],
};
