import { Pool } from 'pg';

// The minimum work for a job: claim one that is not claimed and record its completion.

/** The same concurrency as a worker of the service. */
const AT_ONCE = 10;
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: AT_ONCE });

const TAKE = {
  name: 'take',
  text: `update floor_job set state = 'active' where id = (
           select id from floor_job where state = 'created' order by id limit 1 for update skip locked) returning id`,
};
const DONE = { name: 'done', text: `update floor_job set state = 'completed' where id = $1` };

async function worker(): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ id: number }>(TAKE);
    const [job] = rows;
    if (!job) return;
    await pool.query({ ...DONE, values: [job.id] });
  }
}

process.on('message', () => {
  void Promise.all(Array.from({ length: AT_ONCE }, worker)).then(() => process.send!('done'));
});
process.send!('ready');
