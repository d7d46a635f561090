import { randomUUID } from 'node:crypto';
import { requestWithoutCredentials } from '../../harness/app/test-client';
import { useCommandLine } from './command-line';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('The command line (decisions 7)', () => {
  const line = useCommandLine();
  const { json, runSuccessfully: ok } = line;
  let environment: { environment_uuid: string; api_key: string; signing_secret: string };

  const withKey = (apiKey: string) =>
    requestWithoutCredentials(line.app, 'get', '/v1/identities').set('X-API-KEY', apiKey);

  beforeAll(async () => {
    const create = ['environment', 'create', '--client', 'Acme', '--name', 'Production', '--kind', 'live', '--json'];
    environment = JSON.parse(await ok(create)) as typeof environment;
  });

  const stored = async () =>
    (await line.pool.query('select * from environment where uuid = $1', [environment.environment_uuid]))
      .rows[0] as Record<string, unknown>;

  it('creates an environment whose key is valid immediately', async () => {
    expect(Object.keys(environment)).toEqual(['environment_uuid', 'api_key', 'signing_secret']);
    expect(environment.environment_uuid).toMatch(UUID);
    expect(environment.api_key).toMatch(/^df_live_[\w-]{43}$/);
    expect(environment.signing_secret).toMatch(/^whsec_/);
    await withKey(environment.api_key).expect(200);
  });

  it('prints the same data in readable form, and accepts several origins', async () => {
    const output = await ok([
      ...['environment', 'create', '--client', 'Acme', '--name', 'Test', '--kind', 'test', '--fetch-interval', '5'],
      ...['--return-origin', 'https://a.example', '--return-origin', 'http://localhost:8080'],
      ...['--browser-origin', 'https://www.a.example'],
    ]);
    expect(output).toMatch(
      /^Environment {5}\S+\nAPI key {9}df_test_\S+\nSigning secret {2}whsec_\S+\nThe key and the secret are not shown again.\n$/,
    );
    const { rows } = await line.pool.query<object>(`select * from environment where name = 'Test'`);
    expect(rows).toMatchObject([
      {
        return_origins: ['https://a.example', 'http://localhost:8080'],
        browser_origins: ['https://www.a.example'],
        fetch_interval_minutes: 5,
        kind: 'TEST',
      },
    ]);
  });

  it('issues, lists and revokes keys; a revoked one is rejected immediately', async () => {
    const issued = await json<{ uuid: string; api_key: string; key: string }>([
      ...['key', 'issue', '--environment', environment.environment_uuid, '--expires', '2030-01-01T00:00:00Z'],
    ]);
    expect(issued).toMatchObject({
      uuid: expect.stringMatching(UUID),
      expires_at: '2030-01-01T00:00:00.000Z',
      revoked_at: null,
    });
    await withKey(issued.api_key).expect(200);
    await withKey(environment.api_key).expect(200);

    const listed = await ok(['key', 'list', '--environment', environment.environment_uuid, '--json']);
    expect(listed).not.toContain(issued.api_key);
    expect((JSON.parse(listed) as { uuid: string }[]).map(({ uuid }) => uuid)).toContain(issued.uuid);
    const [header, ...lines] = (await ok(['key', 'list', '--environment', environment.environment_uuid])).split('\n');
    expect(header).toMatch(/^UUID +KEY +SCOPES +ADDRESSES +STATE +LAST USED$/);
    expect(lines).toHaveLength(3);

    expect(await ok(['key', 'revoke', issued.uuid])).toBe(`Revoked ${issued.uuid}.\n`);
    const refused = await withKey(issued.api_key).expect(401);
    expect(refused.body).toMatchObject({ code: 'INVALID_API_KEY' });
    await withKey(environment.api_key).expect(200);
    expect(await json(['key', 'revoke', issued.uuid])).toMatchObject({
      uuid: issued.uuid,
      revoked_at: expect.any(String),
    });
  });

  it('limits a key to scopes and addresses', async () => {
    const limits = ['--scope', 'read', '--scope', 'write', '--allowed-ip', '203.0.113.0/24', '--allowed-ip', '::1'];
    const issued = await json<{ uuid: string; api_key: string }>([
      ...['key', 'issue', '--environment', environment.environment_uuid, ...limits],
    ]);
    expect(issued).toMatchObject({ scopes: ['read', 'write'], allowed_ips: ['203.0.113.0/24', '::1/128'] });
    const refused = await withKey(issued.api_key).expect(403);
    expect(refused.body).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    const lines = await ok(['key', 'list', '--environment', environment.environment_uuid]);
    expect(lines).toMatch(new RegExp(`^${issued.uuid} +\\S+ +read write +203.0.113.0/24 ::1/128 +active +never$`, 'm'));
    await ok(['key', 'revoke', issued.uuid]);
  });

  it('rejects a key as soon as it has expired', async () => {
    const at = new Date(line.app.clock.now().getTime() + 3_600_000).toISOString();
    const { api_key } = await json<{ api_key: string }>([
      'key',
      'issue',
      '--environment',
      environment.environment_uuid,
      '--expires',
      at,
    ]);
    await withKey(api_key).expect(200);
    line.app.clock.advance(3_601);
    await withKey(api_key).expect(401);
    line.app.clock.advance(-3_601);
  });

  it('sets the provisioning strategy; the secret is read from standard input and encrypted', async () => {
    const set = ['provisioning', 'set', '--environment', environment.environment_uuid, '--strategy'];
    const url = 'https://client.example/documents';
    expect(await json([...set, 'push', '--url', url, '--auth', 'bearer', '--secret-stdin'], 'hunter2\n')).toEqual({
      environment_uuid: environment.environment_uuid,
      strategy: 'PUSH',
      url,
      auth: 'BEARER',
      push_limit_mib: 50,
    });
    const row = await stored();
    expect(row).toMatchObject({ strategy: 'PUSH', provisioning_url: url, client_auth: 'BEARER' });
    expect((row.client_auth_secret as Buffer).toString('latin1')).not.toContain('hunter2');
    expect(await ok([...set, 'polling', '--push-limit', '7'])).toContain('documents of up to 7 MiB');
    expect(await stored()).toMatchObject({ push_limit_bytes: String(7 * 1024 * 1024) });
    expect(await ok([...set, 'polling'])).toMatch(/POLLING/);
    expect(await stored()).toMatchObject({ push_limit_bytes: String(7 * 1024 * 1024) });
    expect(await stored()).toMatchObject({ strategy: 'POLLING', client_auth: 'NONE', client_auth_secret: null });
  });

  it('records every change with its actor and without secrets in the audit log', async () => {
    const { rows } = await line.pool.query<{ action: string; actor: string }>(
      'select * from audit_log where environment_uuid = $1',
      [environment.environment_uuid],
    );
    const actions = rows.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['environment.create', 'key.issue', 'key.revoke', 'provisioning.set']),
    );
    for (const { actor } of rows) expect(actor).toMatch(/^cli(:|$)/);
    const text = JSON.stringify(rows);
    for (const secret of ['hunter2', environment.api_key, environment.signing_secret])
      expect(text).not.toContain(secret);
    await expect(line.pool.query('delete from audit_log')).rejects.toThrow('append-only');
  });

  const nowhere = randomUUID();
  it.each<[string, string[], RegExp] | [string, string[], RegExp, string]>([
    ['an unknown environment', ['key', 'issue', '--environment', nowhere], /no environment/],
    ['a list for an unknown environment', ['key', 'list', '--environment', nowhere], /no environment/],
    ['an unknown key', ['key', 'revoke', nowhere], /no key/],
    ['an unknown option', ['key', 'revoke', nowhere, '--color', 'red'], /unknown option/],
    ['a missing option', ['environment', 'create', '--client', 'A', '--kind', 'test'], /--name/],
    ['a wrong kind', ['environment', 'create', '--client', 'A', '--name', 'B', '--kind', 'dead'], /live, test/],
    [
      'an origin with a path',
      [
        'environment',
        'create',
        '--client',
        'A',
        '--name',
        'B',
        '--kind',
        'test',
        '--return-origin',
        'https://a.example/x',
      ],
      /origin/,
    ],
    ['an unknown scope', ['key', 'issue', '--environment', nowhere, '--scope', 'all'], /--scope must be one of read/],
    ['an invalid network', ['key', 'issue', '--environment', nowhere, '--allowed-ip', '10.0.0.0/33'], /--allowed-ip/],
    ['an invalid date', ['key', 'issue', '--environment', nowhere, '--expires', 'soon'], /--expires/],
    [
      'push to plain http on the internet',
      ['provisioning', 'set', '--environment', nowhere, '--strategy', 'push', '--url', 'http://example.com/'],
      /absolute https/,
    ],
    ['push without a URL', ['provisioning', 'set', '--environment', nowhere, '--strategy', 'push'], /needs --url/],
    [
      'an invalid push limit',
      ['provisioning', 'set', '--environment', nowhere, '--strategy', 'polling', '--push-limit', '0'],
      /--push-limit/,
    ],
    [
      'authentication without a secret',
      ['provisioning', 'set', '--environment', nowhere, '--strategy', 'push', '--url', 'https://x', '--auth', 'query'],
      /secret/,
    ],
    [
      'a secret of two lines',
      [
        'provisioning',
        'set',
        '--environment',
        nowhere,
        '--strategy',
        'push',
        '--url',
        'https://x',
        '--auth',
        'bearer',
        '--secret-stdin',
      ],
      /one line/,
      'a\nb',
    ],
    ...['bearer', 'header'].map((auth): [string, string[], RegExp, string] => [
      `a secret that no header can carry, with --auth ${auth}`,
      [
        'provisioning',
        'set',
        '--environment',
        nowhere,
        '--strategy',
        'push',
        '--url',
        'https://x',
        '--auth',
        auth,
        '--secret-stdin',
      ],
      /not allowed in an HTTP header/,
      'tok€n',
    ]),
  ])('rejects %s in one line, with status 1', async (...[, args, reason, input]) => {
    const { status, stdout, stderr } = await line.run(args, input);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/ at .*\.js|select |::/);
  });
});
