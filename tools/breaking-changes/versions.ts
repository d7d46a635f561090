import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Document } from './webhooks';

export const FILE = 'openapi.json';

export interface Version {
  readonly revision: string;
  readonly document: Document;
}

export const current = (): Document => JSON.parse(readFileSync(FILE, 'utf8')) as Document;

/** The document at a revision, or null if it is not there. */
export function versionAt(revision: string): Version | null {
  const text = git('show', `${revision}:${FILE}`);
  return text === null ? null : { revision, document: JSON.parse(text) as Document };
}

/** The document of the last release (a tag such as `v1.2.0`), or null before the first release. */
export function lastRelease(): Version | null {
  const tag = git('describe', '--tags', '--match=v[0-9]*', '--abbrev=0')?.trim();
  return tag ? versionAt(tag) : null;
}

/** The last version of the document that differs from the current one. A clone without history has none. */
export function lastDifferent(): Version | null {
  const now = readFileSync(FILE, 'utf8');
  const revisions = git('log', '--first-parent', '--max-count=20', '--format=%h', '--', FILE)?.split('\n') ?? [];
  for (const revision of revisions.filter(Boolean)) {
    if (git('show', `${revision}:${FILE}`) !== now) return versionAt(revision);
  }
  return null;
}

function git(...args: string[]): string | null {
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
}
