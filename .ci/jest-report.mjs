/**
 * Reads Jest's JSON reports for `.ci/run`. A suite (test/suites) runs many spec files in one Jest file: there, the first
 * title of a test is the path of its spec file.
 *
 *   node .ci/jest-report.mjs failing REPORT            the spec files with a failed test, one per line
 *   node .ci/jest-report.mjs messages REPORT [LABEL]   why its tests failed: the beginning and the end of each message
 *   node .ci/jest-report.mjs tally REPORT [REPORT]     "passed failed"; a second report replaces the spec files it holds
 *   node .ci/jest-report.mjs slowest TIMES             the ten spec files that take longest, of run-suite's list
 */
import { log, error as warn } from 'node:console';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { argv, cwd } from 'node:process';
import { stripVTControlCharacters } from 'node:util';

const [command, ...files] = argv.slice(2);
const commands = { failing, messages, tally, slowest };
log(commands[command](...files));

/**
 * The tests of a report as `{ file, title, status, message }`. A Jest file that does not load counts as one failed test, and so does
 * one that fails although its tests pass, as by the hook of a spec file.
 */
function readTests(report) {
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(cwd(), name);
    if (status === 'failed' && assertionResults.length === 0) return [{ file, title: 'loads', status, message }];
    const hook = { file: /([\w./-]+spec\.tsx?):\d/.exec(message)?.[1] ?? file, title: 'hooks', status, message };
    const isOfHook = status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
    const tests = assertionResults.map(({ ancestorTitles: [first = ''], title, status, failureMessages }) => ({
      file: /spec\.tsx?$/.test(first) ? first : file,
      title,
      status,
      message: failureMessages.join('\n'),
    }));
    return isOfHook ? [...tests, hook] : tests;
  });
}

function failing(report) {
  const failed = readTests(report).filter(({ status }) => status === 'failed');
  return [...new Set(failed.map(({ file }) => file))].join('\n');
}

/** A message can contain hundreds of commands: what was expected is at one end, and where is at the other. */
function messages(report, label = 'FAILED') {
  const shorten = (text) => (text.length <= 2_400 ? text : `${text.slice(0, 800)}\n[…]\n${text.slice(-1_600)}`);
  return readTests(report)
    .filter(({ status }) => status === 'failed')
    .slice(0, 10)
    .map(({ file, title, message }) => `${label} ${file}: ${title}\n${shorten(stripVTControlCharacters(message))}`)
    .join('\n');
}

/** A test that was left out is a failed one, but for those that compare fakes with official descriptions that are not here. */
function tally(first, second) {
  const repeated = second ? readTests(second) : [];
  const replaced = new Set(repeated.map(({ file }) => file));
  const tests = [...readTests(first).filter(({ file }) => !replaced.has(file)), ...repeated];
  const leftOut = tests.filter(
    ({ status, title }) =>
      ['pending', 'skipped', 'todo'].includes(status) && !title.includes('skipped: no description here'),
  );
  for (const { file, title } of leftOut) warn(`=== left out, which counts as failed: ${file}: ${title}`);
  const failed = tests.filter(({ status }) => status === 'failed').length + leftOut.length;
  return `${tests.filter(({ status }) => status === 'passed').length} ${failed}`;
}

function slowest(times) {
  const rows = readFileSync(times, 'utf8').trim().split('\n');
  const files = rows.map((row) => row.split(' ')).sort(([, one], [, other]) => Number(other) - Number(one));
  return files
    .slice(0, 10)
    .map(
      ([processor, wall, file]) =>
        `${(wall / 1000).toFixed(1).padStart(7)} s  ${(processor / 1000).toFixed(1).padStart(6)} CPU s  ${file}`,
    )
    .join('\n');
}
