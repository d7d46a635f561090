import type { Stage } from '../../harness/app/test-context';

/** What the API shows of one transaction, as far as delivery is concerned. */
export interface Shown {
  readonly transaction_uuid: string;
  readonly document: { readonly available_until: string };
  readonly provisioning: {
    readonly strategy: string;
    readonly status: string;
    readonly attempts: number;
    readonly next_attempt_at: string | null;
    readonly last_error: { code: string; status: number | null; message: string } | null;
  };
}

export const show = async (stage: Stage, uuid: string, lang = 'en'): Promise<Shown> => {
  const { body } = await stage.client.call('get', `/v1/transactions/${uuid}`).set('Lang', lang).expect(200);
  return (body as { data: Shown }).data;
};

/** The uuids of a connection's transactions, oldest first. */
export const transactionsOf = async (stage: Stage, connection: string): Promise<string[]> =>
  (
    await stage.query<{ uuid: string }>('select uuid from transaction where connection_uuid = $1 order by uuid', [
      connection,
    ])
  ).map(({ uuid }) => uuid);

/** Puts a transaction into a state that a push would bring it into. */
export const bring = async (stage: Stage, uuid: string, status: string): Promise<void> => {
  const due = status === 'PENDING' ? stage.app.clock.in(3600) : null;
  const error = ['PENDING', 'FAILED'].includes(status)
    ? JSON.stringify({ code: 'TIMEOUT', status: null, message: null })
    : null;
  await stage.query(
    `update transaction set status = $2, due_at = $3, last_error = $4::jsonb, settled_at = null, acknowledged_at = null
     where uuid = $1`,
    [uuid, status, due, error],
  );
};

/** The facts of a type that have been recorded about a transaction. */
export const facts = async (stage: Stage, uuid: string, type: string): Promise<Record<string, unknown>[]> =>
  (
    await stage.query<{ data: Record<string, unknown> }>(
      `select data from outbox where type = $2 and data->>'transaction_uuid' = $1 order by uuid`,
      [uuid, type],
    )
  ).map(({ data }) => data);

/** Days from now on until a time. */
export const daysUntil = (stage: Stage, time: string): number =>
  (new Date(time).getTime() - stage.app.clock.now().getTime()) / 86_400_000;
