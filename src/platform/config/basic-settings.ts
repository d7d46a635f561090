import { setting } from './setting-definition';
import { keys, masterKeys } from './master-key';
import * as read from './setting-parsers';

/** The settings of the section “basics”: address, database and keys (decisions 8). */
export const BASIC_SETTINGS = {
  production: setting({
    variable: 'NODE_ENV',
    section: 'basics',
    // An unknown value ("prod") would mean development, where keys are optional and private addresses are reachable.
    parse: (text) => read.oneOf(['production', 'development', 'test'] as const)(text) === 'production',
    default: 'development',
    description: '`production` requires the settings marked ●; `test` behaves like `development`',
  }),
  port: setting({
    variable: 'PORT',
    section: 'basics',
    parse: read.port,
    default: '3000',
    description: 'the port of the process',
  }),
  publicUrl: setting({
    variable: 'PUBLIC_URL',
    section: 'basics',
    parse: read.origin,
    default: null,
    defaultDescription: '`http://localhost:<PORT>`',
    requiredInProduction: 'the address under which browsers and client backends reach the service',
    description: 'the address under which browsers and client backends reach the service; also the issuer of UI tokens',
  }),
  role: setting({
    variable: 'ROLE',
    section: 'basics',
    parse: read.oneOf(['all', 'api', 'worker'] as const),
    default: 'all',
    description: '`api` answers requests, `worker` fetches and pushes, `all` does both',
  }),
  /** Null: the embedded database below `dataDir`. */
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    section: 'basics',
    parse: read.postgresUrl,
    default: null,
    defaultDescription: 'an embedded PostgreSQL 18 in `DATA_DIR`',
    requiredInProduction:
      'the address of the PostgreSQL server, for example postgres://user:password@host:5432/docfetch',
    description:
      '`postgres://user:password@host:5432/database`; over TLS with `?sslmode=verify-full`, and `&sslrootcert=/path/authority.pem` unless a public authority has certified the server',
  }),
  databasePool: setting({
    variable: 'DATABASE_POOL',
    section: 'basics',
    parse: read.integer(2, 500),
    default: '20',
    description: 'maximum number of database connections of the process (2–500); the job engine uses up to 4 more',
  }),
  databasePooler: setting({
    variable: 'DATABASE_POOLER',
    section: 'basics',
    parse: read.oneOf(['transaction', 'session'] as const),
    default: null,
    defaultDescription: '`DATABASE_URL` is the database server itself',
    description:
      'how the connection pooler at `DATABASE_URL` shares its connections: `transaction` or `session`. Effects and requirements: [operations.md](operations.md#poolers)',
  }),
  databaseDirectUrl: setting({
    variable: 'DATABASE_DIRECT_URL',
    section: 'basics',
    parse: read.postgresUrl,
    default: null,
    defaultDescription: '`DATABASE_URL`',
    description:
      'an address of the same database that keeps the session of a connection, for `npm run migrate`, which requires it with `DATABASE_POOLER=transaction`; not allowed without `DATABASE_POOLER`',
  }),
  databaseReplicaUrl: setting({
    variable: 'DATABASE_REPLICA_URL',
    section: 'basics',
    parse: read.postgresUrl,
    default: null,
    defaultDescription: '`DATABASE_URL` answers everything',
    description:
      'the address of a streaming standby of the same database, or of a pooler in front of it in the mode of `DATABASE_POOLER`: it answers lists, the feeds, the console and the content of documents ([how](operations.md#a-replica))',
  }),
  databaseReplicaMaxLagSeconds: setting({
    variable: 'DATABASE_REPLICA_MAX_LAG_SECONDS',
    section: 'basics',
    parse: read.integer(1, 300),
    default: '5',
    description: 'how far `DATABASE_REPLICA_URL` may be behind before `DATABASE_URL` answers instead',
  }),
  dataDir: setting({
    variable: 'DATA_DIR',
    section: 'basics',
    parse: read.text,
    default: '.docfetch',
    description:
      'the embedded database and the keys that were generated here; unused when `DATABASE_URL` and both keys are set',
  }),
  /** The first one encrypts, all of them decrypt. */
  encryptionKeys: setting({
    variable: 'ENCRYPTION_KEYS',
    section: 'basics',
    parse: masterKeys,
    default: null,
    defaultDescription: 'one is generated in `DATA_DIR/encryption-key`',
    requiredInProduction:
      'id:base64 of 32 random bytes, or id:awskms:…, id:gcpkms:…, id:vault:…, comma-separated, the first one encrypts',
    description:
      '`id:base64,…`, each 32 random bytes; the first one encrypts, all of them decrypt. A key can also be in a key management service: `id:awskms:<ARN>`, `id:gcpkms:projects/…/cryptoKeys/…`, `id:vault:transit/<name>` ([how](operations.md#keys-in-a-kms))',
  }),
  /** Seeds of the keys that sign UI tokens. The first one signs, all of them verify. */
  tokenKeys: setting({
    variable: 'TOKEN_KEYS',
    section: 'basics',
    parse: keys,
    default: null,
    defaultDescription: 'one is generated in `DATA_DIR/token-key`',
    requiredInProduction: 'id:base64 of 32 random bytes, comma-separated, the first one signs',
    description: 'the same format, for UI tokens: the first one signs, all of them verify',
  }),
};
