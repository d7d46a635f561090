import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONNECTOR_SUITES, LONG_E2E_SUITES, LONG_SUITES, POOLER_SUITES, SUITES, UI_SUITES } from './suites';

export const ROOT = resolve(__dirname, '../..');

/** What a test command runs. */
export interface Run {
  readonly command: string;
  readonly suites: typeof SUITES;
  /** The names of its spec files. */
  readonly names: RegExp;
  /** Spec files and folders that another command takes. */
  readonly except: readonly string[];
}

const UNIT_AND_E2E = /\.(e2e-)?spec\.ts$/;
const LISTED = [CONNECTOR_SUITES, LONG_E2E_SUITES].flatMap((suites) => Object.values(suites).flat());

/** The commands that together take every spec file of their names once, and then those that take some of them again. */
export const RUNS: readonly Run[] = [
  { command: 'npm test', suites: SUITES, names: UNIT_AND_E2E, except: LISTED },
  { command: 'npm run test:connectors', suites: CONNECTOR_SUITES, names: UNIT_AND_E2E, except: [] },
  { command: 'npm run test:long', suites: LONG_E2E_SUITES, names: UNIT_AND_E2E, except: [] },
  { command: 'npm run test:long', suites: LONG_SUITES, names: /\.long-spec\.ts$/, except: [] },
  { command: 'npm run test:ui', suites: UI_SUITES, names: /\.ui-spec\.ts$/, except: [] },
];
export const REPEATED_RUNS: readonly Run[] = [
  { command: 'npm run test:pooler', suites: POOLER_SUITES, names: /\.e2e-spec\.ts$/, except: [] },
];

/** The absolute paths of the spec files in these folders and files, which are relative to the repository, in order. */
export function findSpecFiles(places: readonly string[], { names, except }: Pick<Run, 'names' | 'except'>): string[] {
  const isIn = (file: string) => (place: string) => file === place || file.startsWith(`${place}/`);
  return places.flatMap((place) =>
    (place.endsWith('.ts') ? [place] : filesBelow(place))
      .filter((file) => names.test(file) && !except.some(isIn(file)))
      .map((file) => join(ROOT, file)),
  );
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .sort()
    .map((name) => join(folder, name));
