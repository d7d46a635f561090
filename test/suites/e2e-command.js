const { projects, testTimeout, workerIdleMemoryLimit, maxWorkers, testSequencer } = require('../../jest.config.js');

/** The configuration of a command that runs some spec files as `npm test` runs its e2e tests, without what that prints at its end. */
module.exports.e2eCommand = (displayName, testMatch) => ({
  ...projects[1],
  displayName,
  testMatch,
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  testTimeout,
  workerIdleMemoryLimit,
  maxWorkers,
  ...(testSequencer && { testSequencer }),
});
