const { argv } = require('node:process');

const named = argv.slice(2).filter((argument) => !argument.startsWith('-'));

/** A run that names files or watches runs spec files one by one; a whole run takes them in suites, in half the time. */
const single = named.length > 0 || argv.some((argument) => argument.startsWith('--watch'));

/** The suites of a folder: in a whole run, and where one is named, as `.ci/run` does to repeat one whose process has ended. */
const suites = (folder) =>
  !single || named.some((path) => path.endsWith('.suite.ts')) ? [`<rootDir>/test/suites/${folder}/*.suite.ts`] : [];

/** Spec files, where they are run one by one. */
const specs = (...matches) => (single ? matches : []);

module.exports = { single, specs, suites };
