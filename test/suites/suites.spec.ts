import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findSpecFiles, ROOT, RUNS } from './spec-files';

describe('The suites', () => {
  it.each(RUNS.filter(({ takesAll }) => takesAll))('of `$command` hold every spec file once', ({ suites, names }) => {
    const files = Object.values(suites).flatMap((folders) => findSpecFiles(folders, names));
    const expected = findSpecFiles(['connect/src', 'console/src', 'sdk', 'src', 'test', 'tools', 'ui/src'], names);
    expect(expected.length).toBeGreaterThan(20);
    expect(files.map((file) => relative(ROOT, file)).sort()).toEqual(
      expected.map((file) => relative(ROOT, file)).sort(),
    );
  });

  it('have a file each', () => {
    const files = readdirSync(join(ROOT, 'test/suites'), { recursive: true, encoding: 'utf8' });
    const suites = files.filter((file) => file.endsWith('.suite.ts')).map((file) => file.replace('.suite.ts', ''));
    expect(suites.sort()).toEqual(RUNS.flatMap(({ suites }) => Object.keys(suites)).sort());
  });
});
