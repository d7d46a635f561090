import type { EntityManager } from '@mikro-orm/postgresql';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyManager } from '../platform/crypto/key-manager';
import type { EnvironmentFence } from '../platform/errors/environment-fence';
import { sql } from '../platform/database/sql';

/** An error that the operator can act on, in one sentence. */
export class TransferError extends Error {}

export const isNotAnExport = (): TransferError =>
  new TransferError('The file is not a whole export of an environment.');

/** What this installation knows of an environment and of its transfer in progress. */
export interface TransferState {
  /** Null: the environment is not here. */
  readonly environment: { readonly fence: EnvironmentFence | null } | null;
  /** Null: no transfer is in progress. */
  readonly transfer: { readonly uuid: string; readonly direction: 'OUT' | 'IN' } | null;
}

/** Reads the state, and locks it for the caller's transaction. */
export async function lockTransferState(em: EntityManager, environmentUuid: string): Promise<TransferState> {
  const [environment] = await sql<NonNullable<TransferState['environment']>>(
    em,
    'select fence from environment where uuid = $1 for no key update',
    [environmentUuid],
  );
  const [transfer] = await sql<NonNullable<TransferState['transfer']>>(
    em,
    'select uuid, direction from environment_transfer where environment_uuid = $1 for update',
    [environmentUuid],
  );
  return { environment: environment ?? null, transfer: transfer ?? null };
}

export const setFence = (em: EntityManager, environmentUuid: string, fence: EnvironmentFence | null) =>
  sql(em, 'update environment set fence = $2 where uuid = $1', [environmentUuid, fence]);

export const endTransfer = (em: EntityManager, environmentUuid: string) =>
  sql(em, 'delete from environment_transfer where environment_uuid = $1', [environmentUuid]);

/** The data key of an environment, to be read before the transaction; null when the environment is not here. It is not replaced during a transfer. */
export async function readEnvironmentKey(
  em: EntityManager,
  keyManager: KeyManager,
  environmentUuid: string,
): Promise<Buffer | null> {
  const [row] = await sql(em, 'select from data_key where owner_uuid = $1', [environmentUuid]);
  return row ? (await keyManager.key(em, environmentUuid)).current.key : null;
}

/** `RECEIPT`: the target has all of it. `ACTIVATION`: the source will never serve it again. `COMPLETION`: the target serves it. */
export type CodePurpose = 'RECEIPT' | 'ACTIVATION' | 'COMPLETION';

/**
 * A code by which one installation proves to the other that it has done its step, carried by the operator. Both can calculate it
 * from the data key of the environment, and nobody else; each prints it only after the step.
 */
export const codeOf = (dataKey: Buffer, transferUuid: string, purpose: CodePurpose): string =>
  createHmac('sha256', createHmac('sha256', dataKey).update('environment transfer').digest())
    .update(`${purpose}:${transferUuid}`)
    .digest()
    .subarray(0, 18)
    .toString('base64url');

/** @throws TransferError when the operator's code is another one */
export function assertCode(given: string, expected: string, step: string): void {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    throw new TransferError(`This is not the code that "${step}" printed for this transfer.`);
  }
}
