import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DnsRecords } from '../../../src/platform/network/addresses/dns-records';
import { smtpPort, startInbox } from '../../e2e/inbox/inbox-setup';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { CertificateAuthority } from '../../harness/certificates';
import type { TestEngine, TransactionRow } from '../../harness/engine/test-engine';
import { eventually } from '../../harness/eventually';

export const LIMIT_MIB = 20;

/** A service that receives mails over STARTTLS. */
export interface MailService {
  readonly engine: TestEngine;
  readonly client: TestClient;
  readonly port: number;
  /** The name in its certificate, and the authority that has issued it. */
  readonly tls: { readonly ca: string; readonly name: string };
  /** For files of the tests. */
  readonly folder: string;
  /** Name servers know no domain; while false, they do not answer. */
  nameServersAnswer: boolean;
  /** Resolves with the documents of a connection when it has that many. */
  recorded(uuid: string, count: number): Promise<TransactionRow[]>;
}

/** Starts it before all tests. */
export function useMailService(): MailService {
  const service = { nameServersAnswer: true } as { -readonly [Member in keyof MailService]: MailService[Member] };
  const dns = {
    records: () => {
      const code = service.nameServersAnswer ? 'ENOTFOUND' : 'ETIMEOUT';
      return Promise.reject(Object.assign(new Error(`query ${code}`), { code }));
    },
  } as unknown as DnsRecords;

  beforeAll(async () => {
    const name = 'mx.docfetch.test';
    service.folder = mkdtempSync(join(tmpdir(), 'docfetch-smtp-'));
    const paths = { smtpTlsCertificate: join(service.folder, 'cert.pem'), smtpTlsKey: join(service.folder, 'key.pem') };
    const authority = await CertificateAuthority.create();
    const { cert, key } = await authority.issue(name);
    writeFileSync(paths.smtpTlsCertificate, cert);
    writeFileSync(paths.smtpTlsKey, key);
    service.tls = { ca: authority.certificate, name };
    const settings = { ...paths, smtpHostname: name, mailLimitMib: LIMIT_MIB, mailRatePerAddress: 1_000 };
    service.engine = await startInbox({ settings, dns });
    service.client = await createTestClient(service.engine.app);
    service.port = smtpPort(service.engine.app);
  });
  afterAll(async () => {
    await service.engine?.stop();
    if (service.folder) rmSync(service.folder, { recursive: true });
  });

  service.recorded = (uuid, count) =>
    eventually(
      async () => {
        const rows = await service.engine.transactions(uuid);
        return rows.length >= count && rows;
      },
      `${count} documents are recorded`,
      30_000,
    );
  return service;
}
