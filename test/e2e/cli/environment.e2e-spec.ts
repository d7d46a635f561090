import { randomUUID } from 'node:crypto';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../harness/app/test-client';
import { useCommandLine } from './command-line';

describe('docfetch environment list, show, update (decisions 7)', () => {
  const line = useCommandLine();
  let client: TestClient;
  let uuid: string;

  beforeAll(async () => {
    client = await createTestClient(line.app, {
      provisioning: { strategy: 'PUSH', url: 'https://client.example/documents', auth: 'BEARER', secret: 'hunter2' },
    });
    uuid = client.environmentUuid;
  });

  const SHOWN = () => ({
    environment_uuid: uuid,
    client: 'Acme',
    name: 'Test',
    kind: 'TEST',
    fetch_interval_minutes: 1440,
    strategy: 'PUSH',
    url: 'https://client.example/documents',
    auth: 'BEARER',
    push_limit_mib: 50,
    retention_delivered_days: 7,
    retention_days: 90,
    retention_class: 'STANDARD',
    text_extraction: true,
    hold_duplicates: false,
    expected_documents: false,
    console_content: true,
    mail_policy: 'DMARC',
    previous_signing_secret_valid_until: null,
    fence: null,
    return_origins: ['https://app.example.com'],
    embedding_origins: [],
    browser_origins: [],
    theme: {},
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  });

  it('shows all settings except secrets', async () => {
    const other = await createTestClient(line.app);
    expect(await line.json(['environment', 'show', uuid])).toEqual(SHOWN());
    const listed = await line.json<{ environment_uuid: string }[]>(['environment', 'list']);
    expect(listed[0]).toEqual(SHOWN());
    expect(listed.map((row) => row.environment_uuid)).toEqual([uuid, other.environmentUuid]);
    const output = [
      await line.runSuccessfully(['environment', 'list']),
      await line.runSuccessfully(['environment', 'show', uuid]),
    ];
    expect(output[0]).toMatch(/^ENVIRONMENT +KIND +STRATEGY +CLIENT +NAME\n/);
    expect(output[0]).toMatch(new RegExp(`^${uuid}  TEST  PUSH +Acme +Test$`, 'm'));
    expect(output[1]).toMatch(/^retention_days {23}90$/m);
    const text = JSON.stringify([output, listed]);
    for (const secret of ['hunter2', client.apiKey, client.signingSecret]) expect(text).not.toContain(secret);
  });

  it('changes only the given settings', async () => {
    const changed = await line.json([
      ...['environment', 'update', uuid, '--name', 'Production', '--fetch-interval', '15'],
      ...['--return-origin', 'https://a.example', '--return-origin', 'http://localhost:8080'],
      ...['--embedding-origin', 'https://app.a.example', '--embedding-origin', 'http://localhost:8080'],
      ...['--browser-origin', 'https://www.a.example', '--browser-origin', 'http://localhost:5173'],
      ...['--retention-days', '30', '--retention-delivered-days', '0', '--push-limit', '20'],
      ...['--hold-duplicates', 'on', '--expected-documents', 'on', '--text-extraction', 'off'],
      ...['--retention-class', 'long', '--mail-policy', 'require', '--console-content', 'off'],
      ...['--theme-name', 'Acme', '--theme-logo-url', 'https://a.example/logo.svg', '--theme-primary-color', '#00AAFF'],
    ]);
    const expected = {
      ...SHOWN(),
      name: 'Production',
      fetch_interval_minutes: 15,
      push_limit_mib: 20,
      retention_delivered_days: 0,
      retention_days: 30,
      retention_class: 'LONG',
      text_extraction: false,
      hold_duplicates: true,
      expected_documents: true,
      console_content: false,
      mail_policy: 'REQUIRE',
      fence: null,
      return_origins: ['https://a.example', 'http://localhost:8080'],
      embedding_origins: ['https://app.a.example', 'http://localhost:8080'],
      browser_origins: ['https://www.a.example', 'http://localhost:5173'],
      theme: { name: 'Acme', logo_url: 'https://a.example/logo.svg', primary_color: '#00aaff' },
    };
    expect(changed).toEqual(expected);
    expect(await line.json(['environment', 'show', uuid])).toEqual(expected);

    expect(await line.runSuccessfully(['environment', 'update', uuid, '--theme-primary-color', '#112233'])).toContain(
      '#112233',
    );
    expect(await line.json(['environment', 'update', uuid, '--no-return-origins'])).toEqual({
      ...expected,
      return_origins: [],
      theme: { ...expected.theme, primary_color: '#112233' },
    });
    expect(await line.json(['environment', 'update', uuid, '--no-embedding-origins'])).toMatchObject({
      return_origins: [],
      embedding_origins: [],
      browser_origins: expected.browser_origins,
    });
    expect(await line.json(['environment', 'update', uuid, '--no-browser-origins'])).toMatchObject({
      browser_origins: [],
    });
    const { rows } = await line.pool.query<object>(
      `select actor, subject_uuid, details from audit_log where action = 'environment.update' order by uuid`,
    );
    expect(rows).toHaveLength(5);
    expect(rows.slice(2)).toEqual(
      [{ returnOrigins: [] }, { embeddingOrigins: [] }, { browserOrigins: [] }].map((details) => ({
        actor: expect.stringMatching(/^cli/),
        subject_uuid: uuid,
        details,
      })),
    );
  });

  it('makes a link that previews a theme, and changes nothing', async () => {
    const before = await line.json<{ theme: object }>(['environment', 'show', uuid]);
    const preview = ['environment', 'preview-theme', uuid, '--theme-primary-color', '#AABBCC', '--theme-name', ''];
    const made = await line.json<{ url: string; expires_at: string; theme: object }>(preview);
    expect(made.theme).toEqual({ ...before.theme, primary_color: '#aabbcc', name: '' });
    expect(made.url).toMatch(/\/ui\?preview=[\w-]+\.[\w-]+$/);
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now());
    expect(await line.runSuccessfully(preview)).toContain('Nothing has been changed.');
    expect(await line.json(['environment', 'show', uuid])).toEqual(before);
  });

  it('replaces the signing secret, which it shows once, and keeps the former one for a while', async () => {
    const rotate = ['environment', 'rotate-secret', uuid];
    const before = Date.now();
    const made = await line.json<{ signing_secret: string; former_retires_at: string }>([...rotate, '--grace', '2']);
    expect(made.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.signing_secret).not.toBe(client.signingSecret);
    expect(Date.parse(made.former_retires_at) - before).toBeGreaterThan(7_100_000);
    expect(await line.json(['environment', 'show', uuid])).toMatchObject({
      previous_signing_secret_valid_until: made.former_retires_at,
    });
    expect(await line.runSuccessfully(['environment', 'show', uuid])).toContain(
      `previous_signing_secret_valid_until  ${made.former_retires_at}\n`,
    );
    const output = await line.runSuccessfully(rotate);
    expect(output).toMatch(/^Signing secret {2}whsec_\S+\nThe former secret also signs until \S+Z\.\n/);
    expect(output).not.toContain(made.signing_secret);
    const { rows } = await line.pool.query<object>(
      `select actor, details from audit_log where action = 'environment.rotate-signing-secret' order by uuid`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      actor: expect.stringMatching(/^cli/),
      details: { former_retires_at: made.former_retires_at },
    });
  });

  it('creates an environment with its first key, both or neither', async () => {
    const environments = async () => (await line.json<object[]>(['environment', 'list'])).length;
    const before = await environments();
    await line.pool.query(`
      create function refuse_key() returns trigger language plpgsql as $$ begin raise 'no key'; end $$;
      create trigger refuse_key before insert on api_key for each row execute function refuse_key();`);
    const create = ['environment', 'create', '--client', 'Acme', '--name', 'Half', '--kind', 'test'];
    try {
      expect(await line.run(create)).toMatchObject({ status: 1, stdout: '' });
    } finally {
      await line.pool.query('drop function refuse_key cascade');
    }
    expect(await environments()).toBe(before);
    const { api_key: apiKey } = await line.json<{ api_key: string }>(create);
    expect(await environments()).toBe(before + 1);
    await requestWithoutCredentials(line.app, 'get', '/v1/environment').set('X-API-KEY', apiKey).expect(200);
  });

  const nowhere = randomUUID();
  it.each<[string, string[], RegExp]>([
    ['an unknown environment', ['show', nowhere], /no environment/],
    ['no change', ['update', nowhere], /No change was specified/],
    ['an interval that is too short', ['update', nowhere, '--fetch-interval', '4'], /--fetch-interval .* 5 to/],
    ['an unknown text extraction', ['update', nowhere, '--text-extraction', 'maybe'], /on, off/],
    ['an unknown retention class', ['update', nowhere, '--retention-class', 'forever'], /short, standard/],
    ['a retention that is too long', ['update', nowhere, '--retention-days', '3651'], /0 to 3650/],
    ['a push limit of zero', ['update', nowhere, '--push-limit', '0'], /1 to 1024/],
    ['a push limit that is too large', ['update', nowhere, '--push-limit', '1025'], /1 to 1024/],
    [
      'return origins together with their removal',
      ['update', nowhere, '--return-origin', 'https://a.example', '--no-return-origins'],
      /contradict/,
    ],
    [
      'embedding origins together with their removal',
      ['update', nowhere, '--embedding-origin', 'https://a.example', '--no-embedding-origins'],
      /contradict/,
    ],
    [
      'browser origins together with their removal',
      ['update', nowhere, '--browser-origin', 'https://a.example', '--no-browser-origins'],
      /contradict/,
    ],
    ['a browser origin without TLS', ['update', nowhere, '--browser-origin', 'http://a.example'], /https origin/],
    ['a browser origin with a path', ['update', nowhere, '--browser-origin', 'https://a.example/x'], /origin/],
    ['a browser origin with a wildcard', ['update', nowhere, '--browser-origin', 'https://*.a.example'], /origin/],
    ['an embedding origin without TLS', ['update', nowhere, '--embedding-origin', 'http://a.example'], /https origin/],
    ['an embedding origin with a wildcard', ['update', nowhere, '--embedding-origin', 'https://*.a.example'], /origin/],
    ['a logo without TLS', ['update', nowhere, '--theme-logo-url', 'http://a.example/x.svg'], /https/],
    ['an invalid color', ['update', nowhere, '--theme-primary-color', 'red'], /#0055aa/],
    ['a preview of an invalid color', ['preview-theme', nowhere, '--theme-primary-color', '#fff'], /#0055aa/],
    ['a transition period that is too long', ['rotate-secret', nowhere, '--grace', '2161'], /0 to 2160/],
    ['a new secret without an environment', ['rotate-secret', nowhere], /no environment/],
    ['a preview without an environment', ['preview-theme', nowhere], /no environment/],
  ])('rejects %s', async (_, args, reason) => {
    await line.expectRefusal(['environment', ...args], reason);
  });
});
