const { transform, testEnvironment } = require('./jest.config.js').projects[0];

/** Drives our side against real servers of the other side; `.ci/run` installs them. A missing server is a failure, not a skip. */
module.exports = {
  testTimeout: 120_000,
  displayName: 'interop',
  testEnvironment,
  transform,
  testMatch: ['<rootDir>/test/interop/**/*.interop-spec.ts'],
};
