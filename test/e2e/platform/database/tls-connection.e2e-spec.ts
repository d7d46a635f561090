import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrateDatabase } from '../../../../src/bootstrap/database/open-database';
import { ormOptions } from '../../../../src/platform/database/orm-options';
import { ENTITIES } from '../../../../src/bootstrap/database/entities';
import { makeCertificate } from '../../../fakes/imap/certificate';
import { createTestClient } from '../../../harness/app/test-client';
import { PostgresServer } from '../../../harness/app/postgres-server';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

const DOCUMENTS = 4;

/** The requirements of a hosted PostgreSQL: TLS with certificate verification. */
describe('A database that requires TLS', () => {
  let server: PostgresServer;
  let folder: string;
  let url: (parameters: string) => string;

  beforeAll(async () => {
    const { ca, ...certified } = makeCertificate({ hosts: ['localhost'] });
    server = await PostgresServer.start(certified);
    folder = await mkdtemp(join(tmpdir(), 'docfetch-authority-'));
    await writeFile(join(folder, 'ca.pem'), ca);
    await writeFile(join(folder, 'another.pem'), makeCertificate().ca);
    const local = server.url.replace('127.0.0.1', 'localhost');
    url = (parameters) => `${local}?${parameters}`;
  });
  afterAll(async () => {
    await server?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  const ask = async (databaseUrl: string) => {
    const orm = await MikroORM.init(ormOptions({ databaseUrl, pool: 1, entities: ENTITIES, migrations: [] }));
    try {
      return await orm.em
        .getConnection()
        .execute<{ ssl: boolean }[]>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    } finally {
      await orm.close();
    }
  };

  it('is used when its URL requires TLS', async () => {
    expect(await ask(url(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`))).toEqual([{ ssl: true }]);
    expect(await ask(url('sslmode=no-verify'))).toEqual([{ ssl: true }]);
  });

  it('is rejected with another certificate authority, and not used without TLS', async () => {
    await expect(ask(url(`sslmode=verify-full&sslrootcert=${folder}/another.pem`))).rejects.toThrow(/certificate/);
    await expect(ask(url('sslmode=disable'))).rejects.toThrow(/no encryption/);
  });

  it('carries records, jobs and documents unchanged', async () => {
    const databaseUrl = url(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`);
    await migrateDatabase(databaseUrl);
    const engine = await TestEngine.start({ databaseUrl });
    try {
      const client = await createTestClient(engine.app);
      const connection = await connectSandbox(client, {
        documents: DOCUMENTS,
        new_per_fetch: 0,
        document_size_kb: 700,
      });
      await engine.waitForFetches(connection, 1);
      const transactions = await engine.transactions(connection);
      expect(transactions).toHaveLength(DOCUMENTS);
      for (const { uuid, sha256 } of transactions) {
        const document = client.request('get', `/v1/transactions/${uuid}/document`);
        const answer = await document.set('Accept', 'application/octet-stream').expect(200);
        expect(
          createHash('sha256')
            .update(answer.body as Buffer)
            .digest('hex'),
        ).toBe(sha256);
      }
      // PostgreSQL 18 lists a connection with a user, and with TLS, only when it has accepted its password.
      const lines = await engine.rows<{ ssl: boolean; application_name: string }>(
        `select distinct ssl, application_name from pg_stat_ssl join pg_stat_activity using (pid)
         where client_addr is not null and usename is not null`,
      );
      expect(lines.map((line) => line.application_name)).toEqual(expect.arrayContaining(['docfetch', 'docfetch jobs']));
      expect(lines.filter((line) => !line.ssl)).toEqual([]);
    } finally {
      await engine.stop();
    }
  });
});
