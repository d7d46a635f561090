import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import { Settings } from '../config/settings';
import { KeyManager } from './key-manager';
import { missingMasterKey } from './master-keys';

/** Data keys that are rewrapped together. */
const BATCH = 500;

export interface RotationResult {
  /** The master key that now wraps every data key. */
  readonly keyId: string;
  readonly rewrapped: number;
}

/**
 * Rewraps every data key with the first of `ENCRYPTION_KEYS`, so that the others can be removed. The encrypted data
 * (credentials, secrets of settings, documents) is not touched. It works in batches and can be interrupted and repeated, also
 * while the service is running.
 */
@Injectable()
export class RotateEncryption {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

  /** @throws Error naming a master key that data need and `ENCRYPTION_KEYS` lacks; all other data keys are rewrapped by then */
  async rotate(actor: string, progress: (done: number, total: number) => void): Promise<RotationResult> {
    const keyId = this.settings.encryptionKeys[0]!.id;
    const total = await this.keyManager.countStale(this.em.fork());
    let rewrapped = 0;
    // The count is read again before each batch, because a concurrent rotation may have done some of the work.
    while ((await this.keyManager.countStale(this.em.fork())) > 0) {
      rewrapped += await this.keyManager.rewrap(this.em.fork(), BATCH);
      progress(rewrapped, Math.max(total, rewrapped));
    }
    if (rewrapped > 0) await this.log(actor, keyId, rewrapped);
    const left = await this.keyManager.otherMasterThan(this.em.fork(), keyId);
    if (left !== null) throw missingMasterKey(left);
    return { keyId, rewrapped };
  }

  private log(actor: string, key_id: string, rewrapped: number): Promise<void> {
    return this.em.fork().transactional((em) => {
      const details = { key_id, rewrapped };
      this.audit.record(em, {
        environmentUuid: null,
        actor,
        action: 'encryption.rotate',
        subjectUuid: null,
        details,
      });
      return Promise.resolve();
    });
  }
}
