import { readFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes';
import { listed } from './group';
import { current, FILE, lastDifferent, lastRelease, versionAt } from './versions';

/**
 * `npm run openapi:breaking [-- revision]`: compares openapi.json with its version at the given revision, at the last release,
 * or before it was last changed. Fails when a change breaks clients, unless `openapi.breaks.json` lists it with a reason.
 */
const ACCEPTED = 'openapi.breaks.json';

interface Accepted {
  /** `<rule>: <sentence>`, as this program prints it. */
  readonly change: string;
  readonly reason: string;
}

function main(given: string | undefined): number {
  const base = given === undefined ? (lastRelease() ?? lastDifferent()) : versionAt(given);
  if (!base) {
    process.stdout.write(
      given === undefined ? `There is no earlier ${FILE} here.\n` : `There is no ${FILE} in ${given}.\n`,
    );
    return given === undefined ? 0 : 1;
  }
  const accepted = JSON.parse(readFileSync(ACCEPTED, 'utf8')) as Accepted[];
  const reasons = new Map(accepted.map(({ change, reason }) => [change, reason]));
  const breaks = breakingChanges(base.document, current());
  for (const { change, operations } of breaks) {
    const reason = reasons.get(change);
    process.stdout.write(
      `${reason ? 'accepted' : 'BREAKS'}  ${change}${operations.length > 0 ? ` (${listed(operations, 6)})` : ''}` +
        `${reason ? `\n          ${reason}` : ''}\n`,
    );
  }
  const refused = breaks.filter(({ change }) => !reasons.has(change)).length;
  process.stdout.write(
    `Compared with ${base.revision}: ${breaks.length} breaking changes, ${refused} of them not accepted.\n`,
  );
  if (refused > 0)
    process.stdout.write(`Breaking changes that are intended are listed in ${ACCEPTED}, with a reason.\n`);
  return refused > 0 ? 1 : 0;
}

process.exitCode = main(process.argv[2]);
