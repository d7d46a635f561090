const { projects, testTimeout } = require('./jest.config.js');

/** The receivers of `docs/examples` in Python and PHP, which `npm test` does not need. Without their interpreters it fails. */
module.exports = {
  ...projects[1],
  displayName: 'examples',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  testTimeout,
  testMatch: ['<rootDir>/test/e2e/examples/**/*.examples-spec.ts'],
};
