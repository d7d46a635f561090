import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canAccess, defaultAccount } from './account';
import { binariesFor, findBinaries } from './binaries';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'docfetch-binaries-'));
  await chmod(base, 0o755);
});

afterEach(() => rm(base, { recursive: true }));

describe('the PostgreSQL programs', () => {
  asRoot('are copied to a reachable folder when the account cannot run them in place, once', async () => {
    const account = await defaultAccount();
    const { postgres } = await findBinaries(account, () => undefined);
    const closed = join(base, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await symlink(dirname(dirname(postgres)), join(closed, 'native'));
    const messages: string[] = [];
    const use = () => binariesFor(account, join(closed, 'native'), join(base, 'shared'), (line) => messages.push(line));

    const copied = await use();
    expect(copied.postgres.startsWith(join(base, 'shared/postgresql-18'))).toBe(true);
    expect(await canAccess(account as NonNullable<typeof account>, dirname(copied.postgres))).toBe(true);
    expect(await use()).toEqual(copied);
    expect(messages).toHaveLength(1);
  });

  it('that do not run are reported in one line', async () => {
    const { postgres } = await findBinaries(await defaultAccount(), () => undefined);
    await mkdir(join(base, 'broken/bin'), { recursive: true });
    await cp(postgres, join(base, 'broken/bin/postgres'));
    const broken = binariesFor(await defaultAccount(), join(base, 'broken'), join(base, 'shared'), () => undefined);
    await expect(broken).rejects.toThrow(/do not run \(.*lib.*\): install again .* or set DATABASE_URL\.$/);
  });
});
