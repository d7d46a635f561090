import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findSpecFiles, LONG_SPEC, ROOT, SPEC } from './spec-files';
import { LONG_SUITES, SUITES } from './suites';

describe('The suites', () => {
  it.each([
    ['npm test', SUITES, SPEC, 300],
    ['npm run test:long', LONG_SUITES, LONG_SPEC, 10],
  ] as const)('of `%s` hold every spec file exactly once', (_, suites, names, fewest) => {
    const files = Object.values(suites).flatMap((folders) => findSpecFiles(folders, names));
    const expected = findSpecFiles(['connect/src', 'sdk', 'src', 'test', 'tools', 'ui/src'], names);
    expect(expected.length).toBeGreaterThan(fewest);
    expect(files.map((file) => relative(ROOT, file)).sort()).toEqual(
      expected.map((file) => relative(ROOT, file)).sort(),
    );
  });

  it('have a file each', () => {
    const files = readdirSync(join(ROOT, 'test/suites'), { recursive: true, encoding: 'utf8' });
    const suites = files.filter((file) => file.endsWith('.suite.ts')).map((file) => file.replace('.suite.ts', ''));
    expect(suites.sort()).toEqual(Object.keys({ ...SUITES, ...LONG_SUITES }).sort());
  });
});
