import type { MasterKey } from '../../platform/config/master-key';
import type { Settings } from '../../platform/config/settings';
import { TransferError } from '../transfer';
import { TransferKeys } from './transfer-keys';

const IN_KMS: MasterKey = { id: 'v1', kms: 'vault', resource: 'transit/docfetch' };
const local = (fill: number): MasterKey => ({ id: `k${fill}`, bytes: Buffer.alloc(32, fill) });
const keysOf = (...encryptionKeys: MasterKey[]) => new TransferKeys({ encryptionKeys } as unknown as Settings);

describe('The keys of transfers', () => {
  it('are derived from the local keys of ENCRYPTION_KEYS, wherever they are in the list', async () => {
    const keys = keysOf(IN_KMS, local(1), local(2));
    expect(await keys.recipient()).toBe(await keysOf(local(1)).recipient());
    expect(await keys.recipient()).toMatch(/^age1/);
    expect(await keys.identities()).toHaveLength(2);
  });

  it('are missing when all keys are in a KMS, which the operator is told for exports to and imports into this installation', async () => {
    const keys = keysOf(IN_KMS);
    for (const work of [() => keys.recipient(), async () => keys.identities()]) {
      await expect(work()).rejects.toThrow(TransferError);
      await expect(work()).rejects.toThrow('ENCRYPTION_KEYS must contain a key of the form id:base64');
    }
  });
});
