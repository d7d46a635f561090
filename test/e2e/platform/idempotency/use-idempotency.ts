import type { Test } from 'supertest';
import { useTestContext } from '../../../harness/app/test-context';

export const DAY = 24 * 3600;
/** The lease of a running request, in seconds. */
export const LEASE = 60;

export type Body = Record<string, unknown>;

/** Sends requests with an Idempotency-Key and reads the stored responses. The clock is reset after each test. */
export function useIdempotency() {
  const context = useTestContext();
  let moved = 0;
  afterEach(() => {
    context.app.clock.advance(-moved);
    moved = 0;
  });

  return {
    context,
    move(seconds: number): void {
      context.app.clock.advance(seconds);
      moved += seconds;
    },
    post: (path: string, key: string, body: Body = {}): Test =>
      context.client.request('post', path).set('Idempotency-Key', key).send(body),
    count: async (table: string): Promise<number> =>
      Number((await context.query<{ n: string }>(`select count(*) as n from ${table}`))[0]!.n),
    row: async (key: string) => (await context.query('select * from idempotency_key where key = $1', [key]))[0],
    sandbox: (more: Body = {}): Body => ({
      integration_id: 'sandbox',
      name: 'Portal',
      identity_uuid: context.identity,
      fields: { user: 'u', password: 'p' },
      ...more,
    }),
    forToken: (more: Body = {}): Body => ({
      identity_uuid: context.identity,
      return_url: 'https://app.example.com/back',
      ...more,
    }),
    /** The path of a fetch-now that is accepted. */
    async fetchNow(): Promise<string> {
      const uuid = await context.createActiveConnection();
      const next = context.app.clock.in(9 * DAY);
      await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, next]);
      return `/v1/connections/${uuid}/fetch-now`;
    },
  };
}
