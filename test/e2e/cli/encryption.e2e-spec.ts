import { randomBytes } from 'node:crypto';
import { createTestClient } from '../../harness/app/test-client';
import { startApp } from '../../harness/app/start-app';
import { runEntryPoint } from '../start/run-entry-point';
import { useCommandLine } from './command-line';

describe('docfetch encryption rotate (decisions 7)', () => {
  const line = useCommandLine();
  const fresh = randomBytes(32);
  const named = (id: string, bytes: Buffer) => `${id}:${bytes.toString('base64')}`;
  const [OLD, NEW] = [named('test', Buffer.alloc(32, 7)), named('new', fresh)];
  const keys = (...names: string[]) => ({ ENCRYPTION_KEYS: names.join(',') });
  const rotate = ['encryption', 'rotate'];

  const TOKEN_KEYS = named('test', Buffer.alloc(32, 9));
  /** Each rotation is an application of its own, as it gets other keys. */
  const run = (args: string[], env: Record<string, string>) =>
    runEntryPoint(
      'cli',
      { ...{ DATABASE_URL: line.app.databaseUrl, DATA_DIR: '/dev/null/docfetch', TOKEN_KEYS }, ...env },
      args,
    );
  const rotated = async (env: Record<string, string>) => {
    const { status, stdout, stderr } = await run([...rotate, '--json'], env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as object;
  };

  const wrapped = async () =>
    Object.fromEntries(
      (
        await line.pool.query<{ id: string; count: string }>(
          'select master_key_id as id, count(*) from data_key group by 1',
        )
      ).rows.map(({ id, count }) => [id, Number(count)]),
    );

  it('rewraps every data key with the first key, so that the old one can be removed', async () => {
    const client = await createTestClient(line.app);
    const identity = await client.createIdentity();
    const fields = { user: 'u', password: 'correct-horse' };
    const { body } = await client
      .request('post', '/v1/connections')
      .send({ integration_id: 'sandbox', name: 'Portal', identity_uuid: identity, fields })
      .expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    // More than one batch, as in a large installation; all with the same bytes, because they are not decrypted.
    expect(await wrapped()).toEqual({ test: 2 });
    expect(await rotated(keys(OLD))).toEqual({ key_id: 'test', rewrapped: 0 });

    const { stdout: output } = await run(rotate, keys(NEW, OLD));
    expect(output).toBe(
      '2 of 2\n2 data keys rewrapped. All data keys use "new"; other keys can be removed from ENCRYPTION_KEYS.\n',
    );
    expect(await wrapped()).toEqual({ new: 2 });
    expect(await rotated(keys(NEW, OLD))).toEqual({ key_id: 'new', rewrapped: 0 });

    // A service with only the new key decrypts data that was encrypted under the old one.
    const app = await startApp({
      databaseUrl: line.app.databaseUrl,
      settings: { encryptionKeys: [{ id: 'new', bytes: fresh }] },
    });
    try {
      const token = await client.createToken(identity);
      const answer = await fetch(`${app.url}/v1/connections/${uuid}/step2`, { headers: { 'X-TOKEN': token } });
      expect(answer.status).toBe(200);
    } finally {
      await app.stop();
    }
    const { rows } = await line.pool.query<object>(
      `select actor, environment_uuid, details from audit_log where action = 'encryption.rotate'`,
    );
    expect(rows).toEqual([
      { actor: expect.stringMatching(/^cli/), environment_uuid: null, details: { key_id: 'new', rewrapped: 2 } },
    ]);
    const everything = output + JSON.stringify(rows);
    expect(everything).not.toContain(fresh.toString('base64'));
    expect(everything).not.toContain(OLD);
  });

  it('rewraps the other data keys and names the missing key', async () => {
    await createTestClient(line.app); // wrapped with `test`
    await line.pool.query(`update data_key set master_key_id = 'lost' where master_key_id = 'test'`);
    await createTestClient(line.app);
    expect(await wrapped()).toEqual({ new: 2, lost: 1, test: 1 });
    const { status, stderr } = await run([...rotate, '--json'], keys(NEW, OLD));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'ENCRYPTION_KEYS has no key "lost", which data in this database needs.\n',
    });
    expect(await wrapped()).toEqual({ new: 3, lost: 1 });
    await line.pool.query(`update data_key set master_key_id = 'test' where master_key_id = 'lost'`);
    expect(await rotated(keys(NEW, OLD))).toEqual({ key_id: 'new', rewrapped: 1 });
  });

  it('works in batches and can be interrupted', async () => {
    for (let index = 0; index < 6; index++) await createTestClient(line.app);
    const before = (await wrapped()).test!;
    const runs = await Promise.all([run(rotate, keys(NEW, OLD)), run(rotate, keys(NEW, OLD))]);
    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const done = runs.map(({ stdout }) => Number(/^(\d+) data keys/m.exec(stdout)![1]));
    expect(done[0]! + done[1]!).toBe(before);
    expect((await wrapped()).test).toBeUndefined();
  });
});
