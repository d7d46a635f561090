import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findSpecFiles, REPEATED_RUNS, ROOT, RUNS } from './spec-files';

const FOLDERS = ['connect/src', 'console/src', 'sdk', 'src', 'test', 'tools', 'ui/src'];
const KINDS = Map.groupBy(RUNS, ({ names }) => names);

describe('The suites', () => {
  it.each([...KINDS])('hold every spec file named %s once', (names, runs) => {
    const files = runs.flatMap((run) => Object.values(run.suites).flatMap((places) => findSpecFiles(places, run)));
    const expected = findSpecFiles(FOLDERS, { names, except: [] });
    expect(expected.length).toBeGreaterThan(20);
    expect(files.map((file) => relative(ROOT, file)).sort()).toEqual(
      expected.map((file) => relative(ROOT, file)).sort(),
    );
  });

  it('have a file each', () => {
    const files = readdirSync(join(ROOT, 'test/suites'), { recursive: true, encoding: 'utf8' });
    const suites = files.filter((file) => file.endsWith('.suite.ts')).map((file) => file.replace('.suite.ts', ''));
    const names = [...RUNS, ...REPEATED_RUNS].flatMap(({ suites }) => Object.keys(suites));
    expect(suites.sort()).toEqual(names.sort());
  });
});
