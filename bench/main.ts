import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteClusterFolder } from '../src/platform/database/embedded/cluster-folder';
import { documentSize } from './document-size/document-size';
import { bucket } from './bucket/bucket';
import { consoleLists } from './console-lists/console-lists';
import { declarative } from './declarative/declarative';
import { schedule } from './schedule/schedule';
import { deadEndpoint, pushRate, pushWorkers, smallDeliveries } from './deliveries/deliveries';
import { dueScan } from './due-scan/due-scan';
import { engine } from './engine/engine';
import { history } from './history/history';
import { hostedUi } from './hosted-ui/hosted-ui';
import { extraction } from './extraction/extraction';
import { fetchMemory } from './fetch-speed/fetch-memory';
import { fetchSpeed } from './fetch-speed/fetch-speed';
import { openImap } from './fetch-speed/imap';
import { openS3 } from './fetch-speed/s3';
import { openSftp } from './fetch-speed/sftp';
import { openWebdav } from './fetch-speed/webdav';
import { hourly } from './hourly/hourly';
import { httpApi } from './http-api/http-api';
import { isolation } from './isolation/isolation';
import { jobs } from './jobs/jobs';
import { mailboxes } from './mailboxes/mailboxes';
import { concurrentFetches } from './memory/concurrent-fetches';
import { memory } from './memory/memory';
import { queueLatency } from './queue-latency/queue-latency';
import { replicaWrites } from './replica/replica-writes';
import { poolers } from './poolers/poolers';
import { starting } from './starting/starting';
import { textReading } from './text-reading/text-reading';
import { spans } from './traces/spans';
import { traces } from './traces/traces';
import { validation } from './validation/validation';
import { endChildren } from './harness/processes/end-children';
import { circumstances, writeSection } from './harness/report';

/** Every benchmark receives its own empty folder and returns the text of its section. */
const BENCHMARKS: Readonly<Record<string, { heading: string; run: (folder: string) => Promise<string> }>> = {
  'http-api': { heading: 'Cost of a request', run: httpApi },
  poolers: { heading: 'Cost of poolers', run: poolers },
  'replica-writes': { heading: 'Cost of a write beside a replica', run: replicaWrites },
  'hosted-ui': { heading: 'First load of the hosted UI', run: hostedUi },
  engine: { heading: 'Overhead of the fetch engine', run: engine },
  'due-scan': { heading: 'Cost of a claim by number of connections', run: dueScan },
  jobs: { heading: 'Fetches per second', run: jobs },
  hourly: { heading: 'A million connections every hour', run: hourly },
  'queue-latency': { heading: 'Latency until a fetch starts', run: queueLatency },
  memory: { heading: 'Memory by number of documents', run: memory },
  'concurrent-fetches': { heading: 'Memory by fetches at the same time', run: concurrentFetches },
  schedule: { heading: 'A week of scheduling', run: schedule },
  'push-rate': { heading: 'Push throughput', run: pushRate },
  deliveries: { heading: 'Cost of a small delivery', run: smallDeliveries },
  'dead-endpoint': { heading: 'Effect of a dead endpoint on others', run: deadEndpoint },
  isolation: { heading: 'Effect of hanging endpoints on other clients', run: isolation },
  'push-workers': { heading: 'Pushing with several workers', run: pushWorkers },
  'fetch-sftp': { heading: 'Fetch throughput: SFTP', run: (folder) => fetchSpeed(folder, openSftp) },
  'fetch-webdav': { heading: 'Fetch throughput: WebDAV', run: (folder) => fetchSpeed(folder, openWebdav) },
  'fetch-s3': { heading: 'Fetch throughput: S3', run: (folder) => fetchSpeed(folder, openS3) },
  'fetch-imap': { heading: 'Fetch throughput: IMAP', run: (folder) => fetchSpeed(folder, openImap) },
  mailboxes: { heading: 'Ten thousand idle mailboxes', run: mailboxes },
  'fetch-memory': { heading: 'Memory by number of fetched documents', run: fetchMemory },
  declarative: { heading: 'Overhead of a provider’s file', run: declarative },
  bucket: { heading: 'Cost of bucket storage', run: bucket },
  history: { heading: 'A year of history', run: history },
  extraction: { heading: 'Metadata from the text of PDFs', run: extraction },
  'text-reading': { heading: 'Cost of reading the text of PDFs', run: textReading },
  validation: { heading: 'Validation of e-invoices', run: validation },
  starting: { heading: 'Start times', run: starting },
  traces: { heading: 'Cost of traces', run: traces },
  spans: { heading: 'Cost of a span', run: spans },
  'console-lists': { heading: 'Lists of the console by number of rows', run: consoleLists },
  'document-size': { heading: 'Cost by document size', run: documentSize },
};

/**
 * Runs the benchmarks that are named on the command line, or all of them, and writes `bench/RESULTS.md`. One that cannot run,
 * for example because a program is missing, prints the reason and keeps its section; the others still run.
 */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}.`);
  for (const [name, { heading, run }] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const folder = await mkdtemp(join(tmpdir(), `docfetch-bench-${name}-`));
    // As root, PostgreSQL runs under another account, which must be able to traverse the folder.
    await chmod(folder, 0o711);
    try {
      const text = await run(folder);
      const body = `${circumstances()}\n\n${text}`;
      await writeSection(heading, body);
      process.stdout.write(`\n## ${heading}\n\n${body}\n\n`);
    } catch (error) {
      fail(error);
    } finally {
      await deleteClusterFolder(folder);
    }
  }
}

// Processes that are being measured end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', endChildren);

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}

main(process.argv.slice(2)).catch(fail);
