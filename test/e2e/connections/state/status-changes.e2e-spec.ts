import { useTestContext } from '../../../harness/app/test-context';

describe('Changes of a connection’s status (decisions 6, connection.status_changed)', () => {
  const context = useTestContext();
  let uuid: string;
  beforeAll(async () => (uuid = await context.createConnection()));

  /** The changes recorded since the last call. */
  async function changes(): Promise<string[]> {
    const rows = await context.query<{ data: { from: string; to: string } }>(
      `delete from outbox where subject_uuid = $1 and type = 'connection.status_changed' returning data`,
      [uuid],
    );
    return rows.map(({ data }) => `${data.from} → ${data.to}`);
  }

  it('are recorded once when the setup is completed', async () => {
    const save = () =>
      context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: {} });
    await save().expect(204);
    expect(await changes()).toEqual(['PENDING → ACTIVE']);
    await save().expect(204);
    expect(await changes()).toEqual([]);
  });

  it('are recorded when new credentials recover it, and not for a new name', async () => {
    await context.query('update connection set credentials_rejected_at = now() where uuid = $1', [uuid]);
    const update = (body: object) =>
      context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}`).send(body);
    await update({ name: 'Another' }).expect(204);
    expect(await changes()).toEqual([]);
    await update({ fields: { password: 'new' } }).expect(200);
    expect(await changes()).toEqual(['INVALID_CREDENTIALS → ACTIVE']);
  });
});
