const { LONG_SUITES, SUITES } = require('./suites.ts');

const ORDER = Object.keys({ ...SUITES, ...LONG_SUITES });
const position = ({ path }) => ORDER.indexOf(path.split('/test/suites/').at(-1).replace('.suite.ts', ''));

/** Jest's order of test files for a whole run: that of `suites.ts`. */
module.exports = class LongestFirst {
  sort(tests) {
    return [...tests].sort((one, other) => position(one) - position(other));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
};
