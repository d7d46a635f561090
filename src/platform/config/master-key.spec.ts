import { checkKms } from './kms-settings';
import { keys, masterKeys } from './master-key';

const LOCAL = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const ARN = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const NAME = 'projects/p1/locations/eu/keyRings/r1/cryptoKeys/docfetch';

describe('ENCRYPTION_KEYS', () => {
  it('mixes keys of its own with those of key management services', () => {
    expect(masterKeys(`a:awskms:${ARN}, g:gcpkms:${NAME},v:vault:transit/docfetch,${LOCAL}`)).toEqual([
      { id: 'a', kms: 'awskms', resource: ARN },
      { id: 'g', kms: 'gcpkms', resource: NAME },
      { id: 'v', kms: 'vault', resource: 'transit/docfetch' },
      { id: 'k1', bytes: Buffer.alloc(32, 1) },
    ]);
  });

  it.each([
    'a:awskms:alias/docfetch',
    'g:gcpkms:docfetch',
    'v:vault:docfetch',
    'x:azure:key',
    'a:awskms:',
    'k1:c2hvcnQ=',
  ])('rejects %s without repeating it', (value) => {
    expect(() => masterKeys(value)).toThrow(/^must be a list of id:base64/);
    expect(() => masterKeys(value)).not.toThrow(value);
  });

  it('rejects an id that occurs twice, and keys of a KMS for tokens', () => {
    expect(() => masterKeys(`${LOCAL},k1:vault:transit/a`)).toThrow('names the key "k1" twice');
    expect(() => keys('v:vault:transit/docfetch')).toThrow(/^must be a list of id:base64/);
  });

  it('requires the address of Vault and a credential for keys that are there', () => {
    const problemsOf = (value: string, vault = {}) => {
      const problems: string[] = [];
      const none = { vaultAddress: null, vaultToken: null, vaultKubernetesRole: null };
      checkKms({ encryptionKeys: masterKeys(value), ...none, ...vault }, problems);
      return problems.map((line) => line.split(' ')[0]);
    };
    expect(problemsOf('v:vault:transit/a')).toEqual(['VAULT_ADDR', 'VAULT_TOKEN']);
    expect(problemsOf('v:vault:transit/a', { vaultAddress: 'https://v', vaultKubernetesRole: 'r' })).toEqual([]);
    expect(problemsOf(LOCAL)).toEqual([]);
  });
});
