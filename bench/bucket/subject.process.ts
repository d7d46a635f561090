import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { CHUNK_BYTES, DocumentStore, type StoredContent } from '../../src/documents/store/document-store';
import { Clock } from '../../src/platform/clock/clock';
import { ENCRYPTION_OVERHEAD } from '../../src/platform/crypto/cipher';
import { createDataKey } from '../../test/harness/encryption/create-data-key';
import { LargeDocument } from '../harness/data/large-document';
import { openAppContext } from '../harness/app-context';

/** Writes and then reads `documents` documents of `bytes` bytes, `concurrency` at the same time. */
export interface Task {
  readonly documents: number;
  readonly bytes: number;
  readonly concurrency: number;
}

/** A way of storing documents. */
interface Subject<Kept> {
  put(document: LargeDocument): Promise<Kept>;
  /** Returns the number of bytes. */
  read(kept: Kept): Promise<number>;
}

const { DATABASE_URL = '', PORT = '', SUBJECT = '' } = process.env;
const BUCKET = 'bench';
const never = new AbortController().signal;

/** The service's content store: encrypted, signed, with a row per document. */
async function service(): Promise<Subject<StoredContent>> {
  const STORAGE_URL = `s3://${BUCKET}?endpoint=http://127.0.0.1:${PORT}&access_key=bench&secret_key=bench`;
  const app = await openAppContext(DATABASE_URL, new Clock(), { STORAGE_URL });
  const owner = { uuid: randomUUID(), environmentUuid: randomUUID() };
  const key = await createDataKey(app, owner);
  const store = app.get(DocumentStore, { strict: false });
  return {
    put: (document) => store.put(owner, key, Readable.from(document.chunks()), never),
    read: (content) => lengthOf(store.parts(content, key)),
  };
}

/** Bare undici: the same requests with the same concurrency, with bytes in memory. */
function baseline(): Subject<{ name: string; requests: number[] }> {
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const origin = `http://127.0.0.1:${PORT}`;
  const memory = Buffer.alloc(CHUNK_BYTES + ENCRYPTION_OVERHEAD);
  let documents = 0;
  return {
    async put({ size }) {
      const name = `/${BUCKET}/${documents++}/`;
      const requests = Array.from(
        { length: Math.ceil(size / CHUNK_BYTES) },
        (_, at) => Math.min(CHUNK_BYTES, size - at * CHUNK_BYTES) + ENCRYPTION_OVERHEAD,
      );
      await runConcurrently(requests, 4, async (length, at) => {
        const body = memory.subarray(0, length);
        const answer = await agent.request({ method: 'PUT', origin, path: name + at, body });
        await answer.body.dump();
      });
      return { name, requests };
    },
    async read({ name, requests }) {
      let bytes = 0;
      await runConcurrently(requests, 4, async (_, at) => {
        const { body } = await agent.request({ method: 'GET', origin, path: name + at });
        const length = await lengthOf(body);
        bytes += length - ENCRYPTION_OVERHEAD;
      });
      return bytes;
    },
  };
}

async function lengthOf(parts: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const part of parts) length += part.length;
  return length;
}

async function runConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, at: number) => Promise<void>,
) {
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) await work(item, at);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function serve<Kept>(subject: Subject<Kept>): Promise<void> {
  let kept: Kept[] = [];
  let [bytes, concurrency] = [0, 0];
  process.on('message', (task: Task | 'read') => {
    void (async () => {
      const started = performance.now();
      if (task === 'read') {
        await runConcurrently(kept, concurrency, async (one) => {
          if ((await subject.read(one)) !== bytes) throw new Error('What came back has another length.');
        });
      } else {
        const document = new LargeDocument(task.bytes);
        ({ bytes, concurrency } = task);
        kept = [];
        await runConcurrently(Array.from({ length: task.documents }), concurrency, async () => {
          kept.push(await subject.put(document));
        });
      }
      process.send!(performance.now() - started);
    })();
  });
  process.send!('ready');
}

async function main(): Promise<void> {
  if (SUBJECT === 'service') await serve(await service());
  else await serve(baseline());
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
void main();
