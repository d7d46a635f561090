const tables = require('./suites.ts');

const ORDER = Object.values(tables).flatMap(Object.keys);
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
