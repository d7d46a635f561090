import { join } from 'node:path';
import { type Phase, phaseOf } from '../document-size/phase';
import { BenchClient, finishedFetch } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { checkDue, clearDocuments } from '../harness/data/due-documents';
import { table } from '../harness/report';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import { openFakeS3 } from './fake-s3';
import { openImap } from './imap';
import { openSftp } from './sftp';
import type { BenchSource } from './source';
import { openWebdav } from './webdav';

/** Set `BENCH_DOCUMENTS` for a trial run with fewer documents. */
const FEWEST = Number(process.env.BENCH_DOCUMENTS ?? 1_000);
const TIMES = 10;
const BYTES = 15_000;
const SOURCES: readonly (() => Promise<BenchSource>)[] = [openSftp, openWebdav, openFakeS3, openImap];

interface FetchMemoryResult {
  readonly integration: string;
  readonly documents: number;
  readonly phase: Phase;
}

/** The memory of the process that fetches from real servers, by the number of documents. */
export async function fetchMemory(folder: string): Promise<string> {
  const dataDir = join(folder, 'service');
  await using database = await Database.start(dataDir);
  const found: FetchMemoryResult[] = [];
  for (const open of SOURCES) {
    for (const documents of [FEWEST, FEWEST * TIMES]) {
      await using source = await open();
      await source.fill(documents, BYTES);
      found.push({
        integration: source.integration,
        documents,
        phase: await fetched(dataDir, database, source, documents),
      });
      process.stdout.write(`${JSON.stringify(found.at(-1))}\n`);
    }
  }
  return report(found);
}

async function fetched(dataDir: string, database: Database, source: BenchSource, documents: number): Promise<Phase> {
  await using service = await Service.start(dataDir, { DATABASE_URL: database.url });
  const customer = await BenchClient.create(service);
  await clearDocuments(database.client);
  let connection = '';
  const phase = await phaseOf(service.usage, async () => {
    connection = await customer.connectTo(source.integration, source.fields(source.port));
    return until('the fetch succeeds', () => finishedFetch(database.client, connection), 900_000);
  });
  await checkDue(database.client, connection, documents, BYTES);
  return phase;
}

function report(found: readonly FetchMemoryResult[]): string {
  const rows = found.map(({ integration, documents, phase: { idle, peak } }) => {
    const first = found.find((one) => one.integration === integration)!;
    return [
      integration,
      documents.toLocaleString('en'),
      idle.toFixed(0),
      peak.toFixed(0),
      (peak - idle).toFixed(0),
      (peak / first.phase.peak).toFixed(2),
    ];
  });
  return [table(['connector', 'documents', 'idle', 'peak', 'growth', '× fewest'], rows), NOTES].join('\n\n');
}

const NOTES = [
  `Resident memory of the service in MiB (\`ROLE=all\`, a new process for each row), by the kernel’s high-water mark, for one fetch of`,
  `documents of ${BYTES / 1000} KB from OpenSSH, Apache, the test suite’s S3 server and Dovecot. The size is smaller than where speed is`,
  'measured, as it is the number that is looked at here; for large documents see “Cost by document size”.',
  'For a folder with many names SFTP, WebDAV and S3 hold nothing in memory: they list it in pages. IMAP holds 8 bytes',
  'for each new mail, its number, and FTP, which is not measured here, 160 for each file, its line (ADR 22).',
].join('\n');
