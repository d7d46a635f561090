import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import { Settings } from '../config/settings';
import { DataKey } from './data-key.entity';
import { missingMasterKey, KeyManager } from './key-manager';

/** Data keys that one database transaction wraps anew. */
const BATCH = 500;

export interface RotationResult {
  /** The master key that everything is wrapped with now. */
  readonly keyId: string;
  readonly rewrapped: number;
}

/**
 * Wraps every data key with the first of `ENCRYPTION_KEYS`, so that the others can be dropped. What the data keys seal
 * (credentials, settings' secrets, documents) is not touched. It goes in batches: cut short, it is simply rotate again, also
 * while the service runs.
 */
@Injectable()
export class RotateEncryption {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

  /** @throws Error naming a master key that data need and `ENCRYPTION_KEYS` lacks; everything else has been done by then. */
  async rotate(actor: string, progress: (done: number, total: number) => void): Promise<RotationResult> {
    const keyId = this.settings.encryptionKeys[0]!.id;
    const total = await this.vault.countStale(this.em.fork());
    let rewrapped = 0;
    // Asked anew each time: a batch that somebody else was doing at the same moment comes back empty.
    while ((await this.vault.countStale(this.em.fork())) > 0) {
      rewrapped += await this.em.fork().transactional((em) => this.vault.rewrap(em, BATCH));
      progress(rewrapped, Math.max(total, rewrapped));
    }
    if (rewrapped > 0) await this.log(actor, keyId, rewrapped);
    const left = await this.em.fork().findOne(DataKey, { masterKeyId: { $ne: keyId } });
    if (left) throw missingMasterKey(left.masterKeyId);
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
