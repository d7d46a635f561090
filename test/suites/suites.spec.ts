import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findSpecFiles, ROOT } from './spec-files';
import { SUITES } from './suites';

describe('The suites of `npm test`', () => {
  it('hold every spec file exactly once', () => {
    const files = Object.values(SUITES).flatMap((folders) => findSpecFiles(folders));
    const expected = findSpecFiles(['sdk', 'src', 'test', 'tools', 'ui/src']);
    expect(expected.length).toBeGreaterThan(300);
    expect(files.map((file) => relative(ROOT, file)).sort()).toEqual(
      expected.map((file) => relative(ROOT, file)).sort(),
    );
  });

  it('have a file each', () => {
    const files = readdirSync(join(ROOT, 'test/suites'), { recursive: true, encoding: 'utf8' });
    const suites = files.filter((file) => file.endsWith('.suite.ts')).map((file) => file.replace('.suite.ts', ''));
    expect(suites.sort()).toEqual(Object.keys(SUITES).sort());
  });
});
