import type { Test } from 'supertest';
import { useStage } from '../../../harness/app/test-context';

export const DAY = 24 * 3600;
/** So many seconds a request that is under way is taken to be alive. */
export const LEASE = 60;

export type Body = Record<string, unknown>;

/** Requests with an Idempotency-Key, and what they leave behind. The clock is put back after each test. */
export function useIdempotency() {
  const stage = useStage();
  let moved = 0;
  afterEach(() => {
    stage.app.clock.move(-moved);
    moved = 0;
  });

  return {
    stage,
    move(seconds: number): void {
      stage.app.clock.move(seconds);
      moved += seconds;
    },
    post: (path: string, key: string, body: Body = {}): Test =>
      stage.client.call('post', path).set('Idempotency-Key', key).send(body),
    count: async (table: string): Promise<number> =>
      Number((await stage.query<{ n: string }>(`select count(*) as n from ${table}`))[0]!.n),
    row: async (key: string) => (await stage.query('select * from idempotency_key where key = $1', [key]))[0],
    sandbox: (more: Body = {}): Body => ({
      integration_id: 'sandbox',
      name: 'Portal',
      identity_uuid: stage.identity,
      fields: { user: 'u', password: 'p' },
      ...more,
    }),
    forToken: (more: Body = {}): Body => ({
      identity_uuid: stage.identity,
      return_url: 'https://app.example.com/back',
      ...more,
    }),
    /** The address of a fetch-now that is accepted. */
    async fetchNow(): Promise<string> {
      const uuid = await stage.activeConnection();
      const next = stage.app.clock.in(9 * DAY);
      await stage.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, next]);
      return `/v1/connections/${uuid}/fetch-now`;
    },
  };
}
