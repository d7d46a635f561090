import { RECORD_DELIVERED } from '../../../../src/provisioning/push/delivered-result-batcher';
import { usePushBacklog } from './push-backlog';

const ONE_SUCCESS = `array[gen_random_uuid()], array[0], array[now()], array[gen_random_uuid()], array[5], array[200],
  array['ok'], now(), array[0]`;

describe('The statement that records delivered documents', () => {
  const waiting = usePushBacklog(5_000);

  it('is planned once, not on each execution, also when it records one document', async () => {
    const database = await waiting.engine.pool.connect();
    try {
      await database.query(`prepare settle as ${RECORD_DELIVERED}`);
      for (let times = 1; times <= 10; times++) await database.query(`execute settle (${ONE_SUCCESS})`);
      const { rows } = await database.query(
        `select custom_plans::int as custom, generic_plans::int as kept from pg_prepared_statements where name = 'settle'`,
      );
      // PostgreSQL compares five custom plans before it keeps a generic one.
      expect(rows).toEqual([{ custom: 5, kept: 5 }]);
    } finally {
      database.release(true);
    }
  });
});
