import {
  type ProvisioningStatus,
  redeliverTransaction,
  redeliverTransactions,
} from '../../../typescript/dist/index.js';
import { CommandError } from '../failure';
import { openSession, type Setup } from '../session';

export interface RedeliverOptions {
  readonly status?: ProvisioningStatus;
  readonly connection?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
}

/** Delivers the given documents again, or all that match. */
export async function redeliver(setup: Setup, uuids: readonly string[], options: RedeliverOptions): Promise<void> {
  const { messages, output, context } = setup;
  const { status, connection, createdFrom, createdTo } = options;
  const filtered = status ?? connection ?? createdFrom ?? createdTo;
  if (uuids.length > 0 === (filtered !== undefined)) throw new CommandError(messages.uuidsOrStatus, 'USAGE');
  const { client } = openSession(setup);
  const { signal } = context;
  if (uuids.length > 0) {
    for (const transaction_uuid of uuids) {
      await redeliverTransaction({ client, path: { transaction_uuid }, signal });
      output.print({ transaction_uuid, redelivered: true }, [messages.redelivered(transaction_uuid)]);
    }
    return;
  }
  if (!status) throw new CommandError(messages.uuidsOrStatus, 'USAGE');
  const { data } = await redeliverTransactions({
    client,
    signal,
    body: { status, connection_uuid: connection, created_from: createdFrom, created_to: createdTo },
  });
  output.print(data, [messages.redeliveredMany(data.count, data.skipped)]);
}
