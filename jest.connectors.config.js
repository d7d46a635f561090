const { e2eCommand } = require('./test/suites/e2e-command.js');
const { specs, suites } = require('./test/suites/run-mode.js');

/**
 * The connectors, each with the contract of all connectors, its own tests and fetches through the service: what grows with every
 * connector, so that `npm test` only has some of it. As there, a run that names no spec file takes them in suites.
 */
module.exports = e2eCommand('connectors', [
  ...suites('connectors'),
  ...specs(
    '<rootDir>/src/integrations/**/*.spec.ts',
    '<rootDir>/test/contract/**/*.e2e-spec.ts',
    '<rootDir>/test/e2e/fetches/sources/**/*.e2e-spec.ts',
  ),
]);
