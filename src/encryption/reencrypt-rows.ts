import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { KeyRing } from '../platform/crypto/key-ring';
import { lockServed } from '../platform/database/served-environment';
import { affected, sql } from '../platform/database/sql';
import { columnsOf, type EncryptedColumn, type KeyOwner } from './encrypted-columns';
import { EncryptionMetrics } from './encryption-metrics';

const BATCH = 100;

type FoundRow = Readonly<Record<string, string>> & { readonly ciphertext: Buffer };

/** Encrypts the rows of an owner with the current version of its data key. */
@Injectable()
export class ReencryptRows {
  private readonly logger = new Logger(ReencryptRows.name);

  constructor(
    private readonly em: EntityManager,
    private readonly metrics: EncryptionMetrics,
  ) {}

  /** A row that has changed meanwhile is left as it is, and so is a damaged one. False when some are left. */
  async reencrypt(owner: KeyOwner, key: KeyRing, signal?: AbortSignal): Promise<boolean> {
    let left = 0;
    for (const column of columnsOf(owner)) {
      for (let skipped = 0; !signal?.aborted;) {
        const rows = await this.read(owner, column, key.current.version, skipped);
        const replaced = await this.replace(owner, column, key, rows);
        this.metrics.countRows(replaced);
        left += rows.length - replaced;
        skipped += rows.length - replaced;
        if (rows.length < BATCH) break;
      }
    }
    return left === 0;
  }

  private read(
    { ownerUuid }: KeyOwner,
    { table, column, owner, keys }: EncryptedColumn,
    version: number,
    skipped: number,
  ): Promise<FoundRow[]> {
    return sql(
      this.em.fork(),
      `select ${Object.keys(keys)
        .map((name) => `${name}::text`)
        .join(', ')}, ${column} as ciphertext from ${table}
       where ${owner} = $1 and ${column} is not null and ciphertext_key_version(${column}) < $2 limit ${BATCH} offset $3`,
      [ownerUuid, version, skipped],
    );
  }

  private async replace(
    { ownerUuid, environmentUuid }: KeyOwner,
    { table, column, owner, keys, purpose }: EncryptedColumn,
    key: KeyRing,
    rows: readonly FoundRow[],
  ): Promise<number> {
    const names = Object.keys(keys);
    const next = rows.flatMap((row) => {
      const context = purpose(...names.map((name) => row[name]!));
      try {
        return [{ row, ciphertext: key.encrypt(key.decrypt(row.ciphertext, context), context) }];
      } catch (error) {
        this.metrics.countFailure('row');
        this.logger.error(
          { environment_uuid: environmentUuid, table, column, error: String(error) },
          'A row cannot be decrypted, and keeps its former data key from being destroyed',
        );
        return [];
      }
    });
    if (next.length === 0) return 0;
    const given = [...names, 'former', 'next'];
    const types = [...Object.values(keys), 'bytea', 'bytea'].map((type, at) => `$${at + 2}::${type}[]`);
    return this.em.fork().transactional(async (em) => {
      await lockServed(em, environmentUuid);
      return affected(
        em,
        `update ${table} t set ${column} = given.next from unnest(${types.join(', ')}) as given (${given.join(', ')})
         where t.${owner} = $1 and ${names.map((name) => `t.${name} = given.${name}`).join(' and ')} and t.${column} = given.former`,
        [
          ownerUuid,
          ...names.map((name) => next.map(({ row }) => row[name]!)),
          next.map(({ row }) => row.ciphertext),
          next.map(({ ciphertext }) => ciphertext),
        ],
      );
    });
  }
}
