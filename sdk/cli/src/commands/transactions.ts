import {
  getTransaction,
  listAttempts,
  listTransactions,
  paginate,
  type ProvisioningStatus,
  type Transaction,
} from '../../../typescript/dist/index.js';
import { transactionLine, transactionLines } from '../output/describe';
import { openSession, type Setup } from '../session';

/** Prints a document and the attempts to deliver it. */
export async function showTransaction(setup: Setup, uuid: string): Promise<void> {
  const { client } = openSession(setup);
  const path = { transaction_uuid: uuid };
  const { signal } = setup.context;
  const { data } = await getTransaction({ client, path, signal });
  const attempts = [];
  for await (const attempt of paginate(listAttempts, { client, path, signal })) attempts.push(attempt);
  setup.output.print({ ...data, delivery_attempts: attempts }, transactionLines(data, attempts, setup.messages));
}

export interface ListOptions {
  readonly status?: ProvisioningStatus;
  readonly connection?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly limit: number;
}

/** Prints documents, oldest first, one per line. */
export async function printTransactions(setup: Setup, options: ListOptions): Promise<void> {
  const { client } = openSession(setup);
  const query = {
    status: options.status,
    connection_uuid: options.connection,
    created_from: options.createdFrom,
    created_to: options.createdTo,
    limit: Math.min(500, options.limit),
  };
  let count = 0;
  const pages = paginate(listTransactions, { client, query, signal: setup.context.signal });
  for await (const transaction of pages as AsyncIterable<Transaction>) {
    setup.output.print(transaction, [transactionLine(transaction)]);
    if (++count >= options.limit) break;
  }
  if (count === 0) setup.output.note(setup.messages.noDocuments);
}
