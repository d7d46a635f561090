import { readFileSync, writeFileSync } from 'node:fs';
import { grouped, listed } from './group';
import { compare, WARNING } from './oasdiff';
import { withApiSection } from './api-section';
import { current, lastRelease, versionAt } from './versions';

/**
 * `npm run openapi:changelog [-- revision]`: writes the section "API" of the unreleased version into CHANGELOG.md, with the
 * changes of openapi.json since the last release or the given revision.
 */
const CHANGELOG = 'CHANGELOG.md';

function main(given: string | undefined): number {
  const base = given === undefined ? lastRelease() : versionAt(given);
  if (!base) {
    process.stdout.write(
      given === undefined
        ? 'There is no release yet (a tag such as v1.0.0): give the revision to compare with.\n'
        : `There is no openapi.json in ${given}.\n`,
    );
    return 1;
  }
  const changes = grouped(compare('changelog', base.document, current()));
  const lines = changes.map(
    ({ level, sentence, operations }) =>
      `- ${level >= WARNING ? '**Breaking**: ' : ''}${sentence}` +
      (operations.length > 0 ? `: ${listed(operations, 6, '`')}` : ''),
  );
  writeFileSync(CHANGELOG, withApiSection(readFileSync(CHANGELOG, 'utf8'), lines));
  process.stdout.write(`${CHANGELOG}: ${lines.length} changes of the API since ${base.revision}.\n`);
  return 0;
}

process.exitCode = main(process.argv[2]);
