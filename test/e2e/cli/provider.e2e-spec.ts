import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFake } from '../../fakes/declared-fakes';
import { changed } from '../../harness/declarative/declared-provider';
import { JsonServer } from '../../harness/declarative/json-server';
import { runInProcess, WITHOUT_DATABASE } from './command-line';

const SECRET = 'acme-secret-Zq81';

describe('docfetch provider record and replay', () => {
  let folder: string;
  let server: JsonServer;
  let file: string;
  let out: string;
  let before: NodeJS.ProcessEnv;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'providers-'));
    server = await JsonServer.start();
    [file, out] = [join(folder, 'acme.yaml'), join(folder, 'acme.cassette.json')];
    await writeFile(file, changed({ 'streams.invoice.ready': 'state!=draft' }));
    before = { ...process.env };
    Object.assign(process.env, settings());
    server.answer = ({ path, headers }) => {
      if (headers['x-key'] !== `Key ${SECRET}`) return { status: 401 };
      if (path.endsWith('/pdf')) return { body: Buffer.from('%PDF-1.7 of Erika Mustermann') };
      if (path === '/me') return { body: { id: 'acme-42', name: 'Erika Mustermann', api_key: SECRET } };
      const invoice = { number: 'R-4711', date: '2026-02-28', total: '119.00', currency: 'EUR', state: 'sent' };
      return {
        body: {
          data: [
            { id: 71, ...invoice },
            { id: 72, ...invoice, state: 'draft' },
          ],
        },
      };
    };
  });
  afterEach(async () => {
    for (const name of Object.keys(settings())) delete process.env[name];
    Object.assign(process.env, before);
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const settings = () => ({
    DATA_DIR: join(folder, 'data'),
    API_ACME_BASE_URL: server.url,
    PROVIDERS_DIR: folder,
    API_XERO_BASE_URL: '',
  });

  /** Without a database: the application is never started. */
  const run = (args: string[], input?: string) => runInProcess(['provider', ...args], WITHOUT_DATABASE, input);

  it('writes a cassette with pseudonyms, from credentials that it asks for, and replays it', async () => {
    const recorded = await run(['record', 'acme', '--out', out], `${SECRET}\n`);
    expect(recorded).toMatchObject({ status: 0, stderr: 'API key (not shown): \n' });
    expect(recorded.stdout).toBe(`${out}: 3 requests to ${new URL(server.url).host}
invoice: 1 documents, 1 downloaded
In clear:
  data.currency (a currency)
  data.state (named by the file)
  true, false, null, numbers of one digit, and the names of members
`);
    const text = await readFile(out, 'utf8');
    for (const value of [SECRET, 'Erika', 'Mustermann', 'R-4711', 'acme-42', '119.00', '2026-02-28'])
      expect([value, text.includes(value)]).toEqual([value, false]);
    server.answer = () => ({ status: 500 });
    const fits = await run(['replay', out]);
    expect(fits).toMatchObject({ status: 0, stderr: '' });
    expect(fits.stdout).toMatch(/^\S+: the file of acme fits \(3 requests to 127\.0\.0\.1:\d+, \d{4}-\d\d-\d\d\)\n$/);
  });

  it('reads credentials as JSON, and reports as JSON what it did', async () => {
    const recorded = await run(
      ['record', file, '--credentials-stdin', '--out', out, '--json'],
      JSON.stringify({ api_key: SECRET }),
    );
    expect(recorded).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      file: out,
      provider: 'acme',
      requests: 3,
      streams: [{ stream: 'invoice', documents: 1, downloads: 1 }],
      kept: { 'data.state': 'named by the file' },
      deviation: null,
    });
  });

  it('names the first difference after a change of the file or of the cassette', async () => {
    await run(['record', file, '--credentials-stdin', '--out', out], JSON.stringify({ api_key: SECRET }));
    await mkdir(join(folder, 'changed'));
    const other = join(folder, 'changed/acme.yaml');
    await writeFile(other, (await readFile(file, 'utf8')).replace('amount: total', 'amount: sum'));
    const differs = await run(['replay', out, '--file', other]);
    expect(differs).toMatchObject({ status: 1, stdout: '' });
    expect(differs.stderr).toMatch(
      /^\S+: the file of acme does not fit any more\. streams\.invoice\.documents\[0\]\.metadata\.amount: recorded "[\d.]+", now absent\.\n$/,
    );
    expect((await run(['replay', out])).status).toBe(0);
    await writeFile(out, (await readFile(out, 'utf8')).replace('"total": ', '"sum": '));
    expect((await run(['replay', out])).stderr).toMatch(/metadata\.amount: recorded "[\d.]+", now absent/);
    await writeFile(out, '{"docfetch_cassette": 1}');
    expect((await run(['replay', out])).stderr).toMatch(
      /^\S+ is no cassette: it must have required property 'provider'\.\n$/,
    );
  });

  it.each([
    [
      'wrong credentials',
      JSON.stringify({ api_key: 'wrong' }),
      /^Nothing is recorded: InvalidCredentials: Acme answers 401\.\n$/,
    ],
    ['a missing field', '{}', /^api_key is missing or wrong: REQUIRED\.\n$/],
    ['no JSON', SECRET, /^--credentials-stdin needs a JSON object on standard input/],
  ])('writes nothing with %s', async (_, input, reason) => {
    const { status, stdout, stderr } = await run(['record', file, '--credentials-stdin', '--out', out], input);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain(SECRET);
    await expect(readFile(out)).rejects.toThrow('ENOENT');
  });

  it('says how to get the access token of a provider with OAuth', async () => {
    const xero = await startFake('xero');
    try {
      const account = xero.account();
      for (let n = 0; n < 4; n++) account.add('2026-02-01');
      process.env['API_XERO_BASE_URL'] = xero.url;
      const command = ['record', 'xero', '--credentials-stdin', '--documents', '1', '--downloads', '0', '--out', out];
      const { stderr } = await run(command, '{}');
      expect(stderr).toMatch(
        /^Xero uses OAuth: give an access token \(access_token\)\. .* at https:\/\/login\.xero\.com\/\S+ with the scopes /,
      );
      const token = xero.authorization!.tokens().access_token;
      const recorded = await run(command, JSON.stringify({ access_token: token }));
      expect(recorded).toMatchObject({ status: 0, stderr: '' });
      expect(await readFile(out, 'utf8')).not.toContain(token);
      expect((await run(['replay', out])).status).toBe(0);
    } finally {
      await xero.stop();
    }
  });

  it('refuses a provider that does not exist, and a file with errors', async () => {
    expect((await run(['record', 'nobody'])).stderr).toBe(
      'There is no file of a provider nobody, neither in the build nor in PROVIDERS_DIR.\n',
    );
    await writeFile(file, changed({ category: 'BOOKS' }));
    expect((await run(['record', file])).stderr).toMatch(
      /^\S+acme\.yaml has errors: acme\.yaml:4: category: must be one of/,
    );
  });
});
