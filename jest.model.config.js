const { id, transform, testEnvironment, setupFilesAfterEnv } = require('./jest.config.js').projects[1];

/**
 * The service against a plain model, in random commands. Repeat a run with `MODEL_SEED`; `MODEL_STEPS` says how many commands
 * are executed.
 */
module.exports = {
  testTimeout: 120_000,
  displayName: 'model',
  id,
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/model/**/*.model-spec.ts'],
};
