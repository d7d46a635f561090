import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from '../../../src/encryption/encrypted-columns';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { KeyRing } from '../../../src/platform/crypto/key-ring';
import { sql } from '../../../src/platform/database/sql';

/** More rows of an owner in a table than are encrypted again together. */
const MANY = 120;
const FAR = `now() + interval '10 years'`;

type Row = Readonly<Record<string, string>> & { readonly owner: string; readonly ciphertext: Buffer };

const nameOf = ({ table, column }: EncryptedColumn): string => `${table}.${column}`;

/** What the encrypted columns of environments contain. */
export class EncryptedValues {
  private readonly em: EntityManager;
  private readonly keyManager: KeyManager;

  constructor(app: INestApplicationContext) {
    this.em = app.get(EntityManager, { strict: false });
    this.keyManager = app.get(KeyManager, { strict: false });
  }

  keyOf(owner: string): Promise<KeyRing> {
    return this.keyManager.key(this.em.fork(), owner);
  }

  /** The ring of an owner with nothing but its current key. */
  async currentKeyOf(owner: string): Promise<KeyRing> {
    return new KeyRing((await this.keyOf(owner)).current);
  }

  /**
   * The plaintext of every value, by its column and row. `keyOf` says what decrypts those of an owner; by default every version.
   * @throws when one cannot be decrypted
   */
  async read(environment: string, keyOf = (owner: string) => this.keyOf(owner)): Promise<Map<string, string>> {
    const keys = new Map<string, KeyRing>();
    const values = new Map<string, string>();
    for (const column of ENCRYPTED_COLUMNS) {
      for (const { owner, ciphertext, ...names } of await this.rows(column, environment)) {
        if (!keys.has(owner)) keys.set(owner, await keyOf(owner));
        const row = Object.values(names);
        const plain = keys.get(owner)!.decrypt(ciphertext, column.purpose(...row));
        values.set([nameOf(column), ...row].join(' '), plain.toString());
      }
    }
    return values;
  }

  private rows({ table, column, owner, keys }: EncryptedColumn, environment: string): Promise<Row[]> {
    const names = Object.keys(keys).map((name) => `${name}::text`);
    return sql(
      this.em.fork(),
      `select ${names.join(', ')}, ${owner}::text as owner, ${column} as ciphertext from ${table}
       where ${table === 'environment' ? 'uuid' : 'environment_uuid'} = $1 and ${column} is not null`,
      [environment],
    );
  }

  /** Adds rows to the tables that only mails, OAuth and many requests fill. Nothing becomes due with them. */
  async fill(environment: string, connection: string): Promise<void> {
    const keys = { environment: await this.keyOf(environment), connection: await this.keyOf(connection) };
    const secret = (name: string, ...row: string[]): Buffer => {
      const column = ENCRYPTED_COLUMNS.find((one) => nameOf(one) === name)!;
      return keys[column.ownerKind].encrypt(Buffer.from(JSON.stringify(uuid())), column.purpose(...row));
    };
    const insert = (text: string, ...values: unknown[]) => sql(this.em.fork(), text, values);
    await insert(
      `insert into oauth_grant (connection_uuid, environment_uuid, integration_id, account_digest, tokens, revocation_token, scopes, generation, granted_at)
       values ($1, $2, 'dropbox', $3, $4, $5, '[]', 1, now())`,
      ...[connection, environment, randomBytes(32)],
      ...[secret('oauth_grant.tokens', connection), secret('oauth_grant.revocation_token', connection)],
    );
    const [flow, revocation] = [uuid(), uuid()];
    await insert(
      `insert into oauth_flow (uuid, environment_uuid, connection_uuid, actor, scopes, link_digest, secrets, created_at, expires_at)
       values ($1, $2, $3, 'cli:test', '[]', $4, $5, now(), ${FAR})`,
      ...[flow, environment, connection, randomBytes(32), secret('oauth_flow.secrets', flow)],
    );
    await insert(
      `insert into oauth_revocation (uuid, environment_uuid, integration_id, account_digest, revocation_token, due_at)
       values ($1, $2, 'dropbox', $3, $4, ${FAR})`,
      ...[revocation, environment, randomBytes(32), secret('oauth_revocation.revocation_token', revocation)],
    );
    const numbers = Array.from({ length: MANY }, (_, n) => String(n + 1));
    await insert(
      `insert into inbox_mail (connection_uuid, environment_uuid, number, content_uuid, chunks, size, envelope, received_at)
       select $1, $2, given.number, gen_random_uuid(), 1, 1, given.envelope, now() from unnest($3::bigint[], $4::bytea[]) as given (number, envelope)`,
      ...[connection, environment, numbers, numbers.map((number) => secret('inbox_mail.envelope', connection, number))],
    );
    await insert(
      `insert into idempotency_key
         (scope_uuid, key, environment_uuid, fingerprint, lease_token, leased_until, committed_at, responded_at, response, created_at, expires_at)
       select $1, given.key, $1, '\\x00', gen_random_uuid(), now(), now(), now(), given.response, now(), ${FAR}
       from unnest($2::text[], $3::bytea[]) as given (key, response)`,
      ...[environment, numbers, numbers.map((key) => secret('idempotency_key.response', environment, key))],
    );
  }

  /** The columns of which there are values. */
  columnsOf(values: ReadonlyMap<string, string>): string[] {
    return [...new Set([...values.keys()].map((key) => key.split(' ')[0]!))].sort();
  }

  /** All encrypted columns. */
  get columns(): string[] {
    return ENCRYPTED_COLUMNS.map(nameOf).sort();
  }
}
