import { randomUUID } from 'node:crypto';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { useCommandLine } from './command-line';

interface Entry {
  readonly created_at: string;
  readonly actor: string;
  readonly action: string;
  readonly environment_uuid: string | null;
  readonly subject_uuid: string | null;
  readonly details: object;
}

describe('docfetch audit list (decisions 7)', () => {
  const line = useCommandLine();
  let client: TestClient;
  let other: TestClient;

  const list = (...args: string[]) => line.json<Entry[]>(['audit', 'list', ...args]);
  const actions = (entries: Entry[]) => entries.map(({ action }) => action);

  beforeAll(async () => {
    client = await createTestClient(line.app);
    other = await createTestClient(line.app);
    await client.createIdentity('first');
    line.app.clock.advance(3600);
    await client.createIdentity('second');
    line.app.clock.advance(-3600);
  });

  it('lists changes with their actors, newest first', async () => {
    const mine = await list('--environment', client.environmentUuid);
    expect(actions(mine)).toEqual(['identity.create', 'identity.create', 'key.issue', 'environment.create']);
    expect(mine[0]).toEqual({
      created_at: expect.stringMatching(/Z$/),
      actor: expect.stringMatching(/^key:/),
      action: 'identity.create',
      environment_uuid: client.environmentUuid,
      subject_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      details: {},
    });
    expect(await list()).toHaveLength(6);
    expect(await list('--limit', '2')).toEqual(mine.slice(0, 2));
    expect(actions(await list('--environment', other.environmentUuid))).toEqual(['key.issue', 'environment.create']);
  });

  it('lists only changes since the given time', async () => {
    const [newest, before] = await list();
    expect(await list('--since', newest!.created_at)).toEqual([newest]);
    expect(await list('--since', before!.created_at, '--limit', '2')).toEqual([newest, before]);
    expect(await list('--since', '2999-01-01T00:00:00Z')).toEqual([]);
    expect(await line.runSuccessfully(['audit', 'list', '--since', '2999-01-01'])).toBe('No entries.\n');
  });

  it('prints readable lines without a secret', async () => {
    const output = await line.runSuccessfully(['audit', 'list']);
    expect(output).toMatch(/^TIME +ACTOR +ACTION +SUBJECT +DETAILS\n/);
    expect(output.trim().split('\n')).toHaveLength(7);
    expect(output).toMatch(/^\S+Z {2}key:\S+ {2}identity\.create +\S+$/m);
    for (const secret of [client.apiKey, client.signingSecret]) expect(output).not.toContain(secret);
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown environment', ['--environment', randomUUID()], /no environment/],
    ['an invalid date', ['--since', 'yesterday'], /--since/],
  ])('rejects %s', async (_, args, reason) => {
    await line.expectRefusal(['audit', 'list', ...args], reason);
  });
});
