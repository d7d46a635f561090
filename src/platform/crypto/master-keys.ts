import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { isKmsKey, type KmsKey, type MasterKey } from '../config/master-key';
import { WeightedSemaphore } from '../concurrency/weighted-semaphore';
import { Settings } from '../config/settings';
import { decrypt, encrypt } from './cipher';
import { AwsKms } from './kms/aws-kms';
import { GoogleKms } from './kms/google-kms';
import type { Kms } from './kms/kms';
import { VaultTransit } from './kms/vault-transit';

/** Data keys that a KMS has unwrapped, at most. */
const MAX_CACHED_KEYS = 10_000;
const DATA_KEY_BYTES = 32;
/** Requests to key management services at the same time: these limit the rate, and a rotation or a transfer needs thousands. */
const MAX_REQUESTS = 20;

interface Wrapped {
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
}

/** `ENCRYPTION_KEYS`: wraps data keys and unwraps them, in this process or in a key management service. */
@Injectable()
export class MasterKeys {
  private readonly clients = new Map<string, Kms>();
  private readonly requests = new WeightedSemaphore(MAX_REQUESTS);
  /** By the digest of the wrapped key. Only keys from a KMS: unwrapping with a local key is fast. */
  private readonly unwrapped: LRUCache<string, Buffer, Wrapped & { readonly context: string }> | null;

  constructor(private readonly settings: Settings) {
    const ttl = settings.kmsCacheSeconds * 1000;
    this.unwrapped = settings.encryptionKeys.some(isKmsKey)
      ? new LRUCache({
          max: MAX_CACHED_KEYS,
          // Without caching, requests for the same key at the same moment still share one call.
          ttl: Math.max(ttl, 1),
          fetchMethod: (_digest, _stale, { context }) => this.unwrapByKms(context),
          ignoreFetchAbort: true, // a key that others displace meanwhile is still returned
        })
      : null;
  }

  get ids(): string[] {
    return this.settings.encryptionKeys.map(({ id }) => id);
  }

  /** Wraps with the first key. */
  async wrap(dataKey: Buffer, context: string): Promise<Wrapped> {
    const master = this.settings.encryptionKeys[0]!;
    const wrappedKey = isKmsKey(master)
      ? await this.requests.run(() => this.kmsOf(master).wrap(dataKey, context))
      : encrypt(master.bytes, dataKey, context);
    return { masterKeyId: master.id, wrappedKey };
  }

  /**
   * In memory of its own: as a part of Node's shared pool, a key that is held would keep 64 KiB alive.
   * @throws KmsUnavailable; Error when the master key is not among `ENCRYPTION_KEYS`, or another one has wrapped the data key
   */
  async unwrap({ masterKeyId, wrappedKey }: Wrapped, context: string): Promise<Buffer> {
    const master = this.find(masterKeyId);
    const wrapped = Buffer.from(wrappedKey);
    if (!isKmsKey(master)) return ownMemory(decrypt(master.bytes, wrapped, context));
    const digest = hash('sha256', Buffer.concat([Buffer.from(`${masterKeyId}:${context}:`), wrapped]), 'hex');
    const found = await this.unwrapped!.fetch(digest, { context: { masterKeyId, wrappedKey: wrapped, context } });
    return found!;
  }

  private async unwrapByKms({ masterKeyId, wrappedKey, context }: Wrapped & { context: string }): Promise<Buffer> {
    const kms = this.kmsOf(this.find(masterKeyId) as KmsKey);
    const key = await this.requests.run(() => kms.unwrap(Buffer.from(wrappedKey), context));
    if (key.length !== DATA_KEY_BYTES) {
      throw new Error(`The key "${masterKeyId}" unwrapped a data key of another length.`);
    }
    return ownMemory(key);
  }

  private find(id: string): MasterKey {
    const master = this.settings.encryptionKeys.find((key) => key.id === id);
    if (!master) throw missingMasterKey(id);
    return master;
  }

  private kmsOf(key: KmsKey): Kms {
    const client = this.clients.get(key.id) ?? this.open(key);
    this.clients.set(key.id, client);
    return client;
  }

  private open(key: KmsKey): Kms {
    if (key.kms === 'awskms') return new AwsKms(key);
    return key.kms === 'gcpkms' ? new GoogleKms(key) : new VaultTransit(key, this.settings);
  }
}

function ownMemory(bytes: Buffer): Buffer {
  const key = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(key);
  return key;
}

/** The error for a master key that was removed from the settings while data still need it. */
export const missingMasterKey = (id: string): Error =>
  new Error(`ENCRYPTION_KEYS has no key "${id}", which data in this database needs.`);
