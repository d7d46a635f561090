import { randomUUID } from 'node:crypto';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { getTransaction, transactionsOf } from '../transactions/transaction-rows';
import { eventually } from '../../harness/eventually';
import { commandLineOf } from './command-line';

describe('docfetch transaction redeliver (decisions 7)', () => {
  const context = useTestContext({ role: 'all' });
  const line = commandLineOf(() => context.app);
  let connection: string;
  let uuids: string[];

  const status = async (uuid: string) => (await getTransaction(context, uuid)).provisioning.status;
  const many = (...args: string[]) => [
    ...['transaction', 'redeliver', '--environment', context.client.environmentUuid, '--status', 'rejected'],
    ...args,
  ];

  beforeAll(async () => {
    connection = await connectionWithDocuments(context, { documents: 5 });
    uuids = await transactionsOf(context, connection);
  });
  beforeEach(() =>
    context.query(`update transaction set status = 'REJECTED' where connection_uuid = $1`, [connection]),
  );

  it('redelivers one document', async () => {
    const [one, other] = uuids as [string, string];
    expect(await line.json(['transaction', 'redeliver', one])).toEqual({
      transaction_uuid: one,
      status: 'AVAILABLE',
    });
    expect([await status(one), await status(other)]).toEqual(['AVAILABLE', 'REJECTED']);
    expect(await line.runSuccessfully(['transaction', 'redeliver', other.toUpperCase()])).toBe(
      `${other} is AVAILABLE again.\n`,
    );
    const audited = await context.query(
      `select actor from audit_log where action = 'transaction.redeliver' and subject_uuid = $1`,
      [one],
    );
    expect(audited).toEqual([{ actor: expect.stringMatching(/^cli/) }]);
  });

  it('redelivers all documents that match', async () => {
    expect(await line.json(many('--created-from', '2999-01-01T00:00:00Z'))).toEqual({ count: 0, skipped: 0 });
    expect(await line.json(many('--connection', await context.createConnection()))).toEqual({ count: 0, skipped: 0 });
    await context.query('update transaction set content_uuid = null where uuid = $1', [uuids.at(-1)]);
    const output = await line.runSuccessfully(many('--connection', connection, '--created-to', '2999-01-01'));
    expect(output).toBe('4 will be delivered again; the content of 1 is no longer kept.\n');
    await eventually(async () => {
      const all = await Promise.all(uuids.map(status));
      return all.filter((each) => each === 'AVAILABLE').length === 4;
    }, 'the service has scheduled them');
    await line.expectRefusal(['transaction', 'redeliver', uuids.at(-1)!], /no longer stored/);
  });

  const nowhere = randomUUID();
  it.each<[string, string[], RegExp]>([
    ['no argument', [], /Give a transaction, or --environment and --status/],
    ['an unknown transaction', [nowhere], /no such transaction/],
    ['a transaction together with filters', [nowhere, '--status', 'failed'], /either/],
    ['an unknown environment', ['--environment', nowhere, '--status', 'failed'], /no environment/],
    ['an unknown status', ['--environment', nowhere, '--status', 'lost'], /pending, delivered/],
  ])('rejects %s', async (_, args, reason) => {
    await line.expectRefusal(['transaction', 'redeliver', ...args], reason);
  });

  it('rejects a connection of another environment, an unknown connection and an empty period', async () => {
    const ofOtherClient = await context.createConnection({
      by: context.otherClient,
      identity: await context.otherClient.createIdentity(),
    });
    await line.expectRefusal(many('--connection', ofOtherClient), /another environment/);
    await line.expectRefusal(many('--connection', nowhere), /no connection/);
    await line.expectRefusal(
      many('--created-from', '2026-01-02', '--created-to', '2026-01-01'),
      /created_to must be later/,
    );
  });
});
