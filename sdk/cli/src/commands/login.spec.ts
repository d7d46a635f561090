import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../../test/harness/eventually';
import { useClientUser } from '../../../../test/sdk/run-client';
import { KEY, refusal, useSdk } from '../../../../test/sdk/use-sdk';

const ENVIRONMENT = {
  status: 200,
  body: {
    data: {
      environment_uuid: '0198f6a0-7d5c-7000-8000-00000000000e',
      ...{ client_name: 'Acme', name: 'Test', kind: 'TEST' },
      api_key: { prefix: 'df_test_', last_four: KEY.slice(-4), expires_at: null },
    },
  },
};

describe('docfetch-client login', () => {
  const { server } = useSdk();
  const user = useClientUser();
  const stored = () => join(user.configFolder, 'credentials.json');

  it('stores a key from standard input for the owner alone, and does not print it', async () => {
    server.script(ENVIRONMENT);
    const { status, stdout, stderr } = await user.run(['login', '--url', server.url], { input: `${KEY}\n` });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Acme, Test (TEST)');
    expect(stdout).not.toContain(KEY);
    expect(JSON.parse(readFileSync(stored(), 'utf8'))).toEqual({ url: server.url, api_key: KEY });
    expect(statSync(stored()).mode & 0o777).toBe(0o600);
  });

  it('uses the stored key, but sends it to no other service', async () => {
    server.script(refusal(404, 'TRANSACTION_NOT_FOUND'));
    const get = ['transactions', 'get', '0198f6a0-7d5c-7000-8000-000000000001'];
    expect((await user.run(get)).status).toBe(5);
    expect(server.seen[0]!.headers['x-api-key']).toBe(KEY);
    const other = await user.run(get, { env: { DOCFETCH_URL: 'http://localhost:1' } });
    expect(other).toMatchObject({ status: 3, stderr: expect.stringContaining('not for DOCFETCH_URL') });
  });

  it('keeps the former key when the service refuses another one', async () => {
    server.script(refusal(401, 'INVALID_API_KEY'));
    const other = `df_test_${'B'.repeat(43)}`;
    const { status, stdout, stderr } = await user.run(['login', '--url', server.url], { input: other });
    expect(status).toBe(3);
    expect(stdout + stderr).not.toContain(other);
    expect(readFileSync(stored(), 'utf8')).toContain(KEY);
  });

  it('asks on a terminal, without showing what is typed', async () => {
    server.script(ENVIRONMENT);
    const login = user.start(['login', '--url', server.url], { terminal: true });
    await eventually(async () => login.stderr.text.includes('API key for'), 'it asks');
    login.press(`${KEY}x\u007f\r`);
    expect(await login.exited).toBe(0);
    expect(login.stdout.text + login.stderr.text).not.toContain(KEY);
  });

  it.each([
    ['http://docfetch.example.com', 'without encryption'],
    ['docfetch.example.com', 'must be like https://'],
    ['https://user:password@docfetch.example.com', 'must be like https://'],
  ])('does not send a key to %s', async (url, reason) => {
    const result = await user.run(['login', '--url', url], { input: KEY });
    expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) });
    expect(result.stderr).not.toContain('password');
  });

  it('does not print what is no key', async () => {
    const result = await user.run(['login'], { input: 'df_test_short' });
    expect(result.status).toBe(2);
    expect(result.stderr).not.toContain('short');
  });

  it('removes the key', async () => {
    expect((await user.run(['logout', '--json'])).objects).toEqual([{ removed: true }]);
    expect((await user.run(['transactions', 'list'])).status).toBe(3);
    expect((await user.run(['logout', '--json'])).objects).toEqual([{ removed: false }]);
  });
});
