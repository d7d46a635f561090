import type { TestContext } from '../../harness/app/test-context';

/** The members of the API's transaction that concern delivery. */
export interface TransactionView {
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

export const getTransaction = async (context: TestContext, uuid: string, lang = 'en'): Promise<TransactionView> => {
  const { body } = await context.client.request('get', `/v1/transactions/${uuid}`).set('Lang', lang).expect(200);
  return (body as { data: TransactionView }).data;
};

/** The uuids of a connection's transactions, oldest first. */
export const transactionsOf = async (context: TestContext, connection: string): Promise<string[]> =>
  (
    await context.query<{ uuid: string }>('select uuid from transaction where connection_uuid = $1 order by uuid', [
      connection,
    ])
  ).map(({ uuid }) => uuid);

/** Sets a transaction to a status that results from a push. */
export const createTransactions = async (context: TestContext, uuid: string, status: string): Promise<void> => {
  const due = status === 'PENDING' ? context.app.clock.in(3600) : null;
  const error = ['PENDING', 'FAILED'].includes(status)
    ? JSON.stringify({ code: 'TIMEOUT', status: null, message: null })
    : null;
  await context.query(
    `update transaction set status = $2, due_at = $3, last_error = $4::jsonb, settled_at = null, acknowledged_at = null
     where uuid = $1`,
    [uuid, status, due, error],
  );
};

/** The recorded events of a type about a transaction. */
export const readFacts = async (context: TestContext, uuid: string, type: string): Promise<Record<string, unknown>[]> =>
  (
    await context.query<{ data: Record<string, unknown> }>(
      `select data from outbox where type = $2 and data->>'transaction_uuid' = $1 order by uuid`,
      [uuid, type],
    )
  ).map(({ data }) => data);

/** Days from now until a time. */
export const daysUntil = (context: TestContext, time: string): number =>
  (new Date(time).getTime() - context.app.clock.now().getTime()) / 86_400_000;
