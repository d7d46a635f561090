import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACME, changed } from '../../harness/declarative/declared-provider';
import { runInProcess, WITHOUT_DATABASE } from './command-line';

const run = (...args: string[]) => runInProcess(args, WITHOUT_DATABASE);

describe('docfetch, without settings and without a database', () => {
  it.each([
    [['--help'], 'Usage: docfetch [options] [command]\n'],
    [['environment', '--help'], 'Usage: docfetch environment [options] [command]\n'],
    [['key', 'issue', '--help'], 'Usage: docfetch key issue [options]\n'],
  ])('prints help under its name: %j', async (args, beginning) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    [[], '"docfetch" lacks a command. There are environment, key, '],
    [['frobnicate'], 'There is no command "docfetch frobnicate". There are environment, key, '],
    [['key'], '"docfetch key" lacks a command. There are issue, list, revoke; '],
    [['key', 'lend'], 'There is no command "docfetch key lend". There are issue, list, revoke; '],
    [['key', 'revoke'], "missing required argument 'key'"],
    [['key', 'issue'], "required option '--environment <uuid>' not specified"],
    [['key', 'issue', '--environment'], "option '--environment <uuid>' argument missing"],
    [['environment', 'create', '--client', ''], '--client must not be empty.'],
    [['environment', 'list', '--color'], "unknown option '--color'"],
    [['environment', 'list', '--jso'], "unknown option '--jso' (Did you mean --json?)"],
    [['environment', 'list', 'all'], "too many arguments for 'list'"],
    [['environment', 'show', 'acme'], 'The environment must be a UUID, not "acme".'],
    [['connection', 'fetch', 'acme'], 'The connection must be a UUID, not "acme".'],
    [['key', 'revoke', 'acme'], 'The key must be a UUID, not "acme".'],
    [['transaction', 'redeliver', 'acme'], 'The transaction must be a UUID, not "acme".'],
    [['transaction', 'redeliver'], 'Give a transaction, or --environment and --status.'],
  ])('reports an error in one line: %j', async (args, beginning) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.slice(0, beginning.length)).toBe(beginning);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('checks files of providers: the errors with file and line, and the exit status', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'providers-'));
    const [good, bad] = [join(folder, 'acme.yaml'), join(folder, 'other.yaml')];
    await writeFile(good, ACME);
    await writeFile(bad, changed({ id: 'other', category: 'BOOKS', zone: null }));
    expect(await run('provider', 'check', good)).toMatchObject({
      status: 0,
      stdout: `${good}: no errors\n`,
      stderr: '',
    });
    const invalid = await run('provider', 'check', good, bad);
    expect(invalid).toMatchObject({ status: 1, stderr: '1 of 2 files have errors.\n' });
    expect(invalid.stdout).toMatch(/^.*acme\.yaml: no errors\nother\.yaml:4: category: must be one of MAILBOX, .*\n$/);
    const { stdout } = await run('provider', 'check', '--json', bad);
    expect(JSON.parse(stdout)).toEqual({ files: [{ file: bad, errors: [expect.stringMatching(/^other\.yaml:4: /)] }] });
    expect(await run('provider', 'check', join(folder, 'none.yaml'))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/none\.yaml cannot be read: ENOENT\.\n$/),
    });
    await rm(folder, { recursive: true });
  });

  it("checks that an operator's file names no code, unlike those of the build", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'providers-'));
    const ofBuild = join(__dirname, '../../../src/integrations/providers/ovhcloud.yaml');
    const own = join(folder, 'own.yaml');
    await writeFile(own, (await readFile(ofBuild, 'utf8')).replace('id: ovhcloud', 'id: own'));
    const { status, stdout } = await run('provider', 'check', ofBuild, own);
    expect({ status, lines: stdout.trim().split('\n') }).toEqual({
      status: 1,
      lines: [
        `${ofBuild}: no errors`,
        expect.stringMatching(/^own\.yaml:\d+: auth\.signature: only files of the build can name a signature$/),
      ],
    });
    await rm(folder, { recursive: true });
  });

  it('marks in the help which options are required', async () => {
    const { stdout } = await run('provisioning', 'set', '--help');
    const options = stdout.replaceAll(/\n {10,}/g, ' ').split('\n');
    const required = options.filter((line) => line.endsWith('(required)')).map((line) => line.trim().split(' ')[0]);
    expect(required).toEqual(['--environment', '--strategy']);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(__dirname, '../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('prints JSON for every command', async () => {
    const commandsOf = async (path: string[]): Promise<string[][]> => {
      const { stdout } = await run(...path, '--help');
      const [, listed = ''] = stdout.split('Commands:\n');
      const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
      if (names.length === 0) return [path];
      return (await Promise.all(names.map((name) => commandsOf([...path, name])))).flat();
    };
    const commands = await commandsOf([]);
    expect(commands.length).toBeGreaterThan(10);
    for (const path of commands) {
      expect([path, (await run(...path, '--help')).stdout]).toEqual([path, expect.stringMatching(/^ {2}--json /m)]);
    }
  });
});
