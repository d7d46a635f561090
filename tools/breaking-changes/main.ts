import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { breakingChanges } from './compare';
import type { Document } from './document';

/**
 * `npm run openapi:breaking [revision]`: compares openapi.json with its version at the given revision, or before it was last
 * changed. Fails when a change breaks clients, unless `openapi.breaks.json` lists it with a reason.
 */
const FILE = 'openapi.json';
const ACCEPTED = 'openapi.breaks.json';

interface Accepted {
  /** `<rule> <place>`, as this program prints it. */
  readonly change: string;
  readonly reason: string;
}

const git = (...args: string[]): string | null => {
  try {
    // The checkout may belong to another user.
    return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  } catch {
    return null; // no git, no repository, or no such revision
  }
};

/** The last version of the file that differs from the current one. A clone without history has none. */
function earlier(now: string): { revision: string; text: string } | null {
  const revisions = git('log', '--first-parent', '--max-count=20', '--format=%h', '--', FILE)?.split('\n') ?? [];
  for (const revision of revisions.filter(Boolean)) {
    const text = git('show', `${revision}:${FILE}`);
    if (text !== null && text !== now) return { revision, text };
  }
  return null;
}

function main(given: string | undefined): number {
  const now = readFileSync(FILE, 'utf8');
  const text = given === undefined ? undefined : git('show', `${given}:${FILE}`);
  if (text === null) {
    process.stdout.write(`There is no ${FILE} in ${given}.\n`);
    return 1;
  }
  const base = text === undefined ? earlier(now) : { revision: given!, text };
  if (!base) {
    process.stdout.write(`There is no earlier ${FILE} here: nothing to compare with.\n`);
    return 0;
  }
  const accepted = JSON.parse(readFileSync(ACCEPTED, 'utf8')) as Accepted[];
  const reasons = new Map(accepted.map(({ change, reason }) => [change, reason]));
  const breaks = breakingChanges(JSON.parse(base.text) as Document, JSON.parse(now) as Document);
  let refused = 0;
  for (const { rule, place, message } of breaks) {
    const reason = reasons.get(`${rule} ${place}`);
    if (!reason) refused += 1;
    process.stdout.write(
      `${reason ? 'accepted' : 'BREAKS'}  ${rule} ${place}: ${message}${reason ? ` (${reason})` : ''}\n`,
    );
  }
  process.stdout.write(
    `Compared with ${base.revision}: ${breaks.length} breaking changes, ${refused} of them not accepted.\n`,
  );
  if (refused > 0) process.stdout.write(`What is meant to break clients is written into ${ACCEPTED}, with a reason.\n`);
  return refused > 0 ? 1 : 0;
}

process.exitCode = main(process.argv[2]);
