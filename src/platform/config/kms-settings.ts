import { isKmsKey, type MasterKey } from './master-key';
import { setting } from './setting-definition';
import * as read from './setting-parsers';

/** Settings for keys of `ENCRYPTION_KEYS` that are kept in a key management service. */
export const KMS_SETTINGS = {
  /** How long an unwrapped data key stays in memory; 0 for not at all. */
  kmsCacheSeconds: setting({
    variable: 'KMS_CACHE_SECONDS',
    section: 'kms',
    parse: read.integer(0, 3600),
    default: '300',
    description:
      'how long a process keeps a data key in memory after a KMS has unwrapped it (0–3600): a shorter time means more requests to the KMS, a longer one that a key that was disabled there works longer',
  }),
  vaultAddress: setting({
    variable: 'VAULT_ADDR',
    section: 'kms',
    parse: read.origin,
    default: null,
    description:
      'the address of Vault or OpenBao, `https://vault.internal:8200`; required for keys of the kind `vault`',
  }),
  vaultToken: setting({
    variable: 'VAULT_TOKEN',
    section: 'kms',
    parse: read.text,
    default: null,
    description:
      'a token of Vault that may encrypt and decrypt with the key. The service does not renew it; in Kubernetes use `VAULT_KUBERNETES_ROLE` instead',
  }),
  vaultNamespace: setting({
    variable: 'VAULT_NAMESPACE',
    section: 'kms',
    parse: read.text,
    default: null,
    description: 'the namespace, in editions of Vault that have them',
  }),
  vaultKubernetesRole: setting({
    variable: 'VAULT_KUBERNETES_ROLE',
    section: 'kms',
    parse: read.text,
    default: null,
    description:
      'the role with which the process signs in to Vault by its service account of Kubernetes (auth method `kubernetes`), instead of `VAULT_TOKEN`',
  }),
};

interface Given {
  readonly encryptionKeys: readonly MasterKey[] | null;
  readonly vaultAddress: string | null;
  readonly vaultToken: string | null;
  readonly vaultKubernetesRole: string | null;
}

/** Adds a line to `problems` for what keys in Vault lack. */
export function checkKms(given: Given, problems: string[]): void {
  const usesVault = given.encryptionKeys?.some((key) => isKmsKey(key) && key.kms === 'vault');
  if (!usesVault) return;
  if (given.vaultAddress === null)
    problems.push('VAULT_ADDR is required for the keys of ENCRYPTION_KEYS that are in Vault');
  if (given.vaultToken === null && given.vaultKubernetesRole === null) {
    problems.push('VAULT_TOKEN or VAULT_KUBERNETES_ROLE is required for the keys of ENCRYPTION_KEYS that are in Vault');
  }
}
