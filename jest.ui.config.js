const { projects, testSequencer } = require('./jest.config.js');
const { specs, suites } = require('./test/suites/run-mode.js');

const { id, transform, testEnvironment, setupFilesAfterEnv } = projects[1];

/**
 * The hosted UI in a real browser, against the real application; `.ci/run` installs Chromium. Without one it says so, and
 * fails. As with `npm test`, a run that names no spec file takes them in suites.
 */
module.exports = {
  testTimeout: 180_000,
  displayName: 'ui',
  id,
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup: '<rootDir>/test/ui/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  maxWorkers: 2,
  ...(testSequencer && { testSequencer }),
  testMatch: [...suites('ui'), ...specs('<rootDir>/test/ui/**/*.ui-spec.ts')],
};
