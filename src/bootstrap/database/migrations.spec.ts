import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from './migrations';

describe('The list of migrations', () => {
  it('contains every file, because a migration that is not listed never runs', () => {
    const files = readdirSync(join(__dirname, '../../../migrations'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name.replace(/\.ts$/, ''));
    expect(MIGRATIONS.map(({ name }) => name).sort()).toEqual(files.sort());
  });
});
