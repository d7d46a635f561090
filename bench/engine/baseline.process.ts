import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { documentBytes, MAX_BYTES } from '../harness/data/bench-document';

/** The baseline's task: the ids of the referenced rows, and the number of documents. */
export interface Task {
  readonly environment: string;
  readonly identity: string;
  readonly connection: string;
  readonly owner: string;
  readonly documents: number;
  readonly bytes: number;
}

// The minimum work for a document in memory: sha256, AES-256-GCM, and the rows, in sequence.

/** The number of documents per commit, as in the service. */
const A_COMMIT = 20;
const CHUNK_BYTES = 256 * 1024;
const KEY = Buffer.alloc(32, 7);
const BLOCK = randomBytes(MAX_BYTES);

const STORE = {
  name: 'store',
  text: `with stored as (
           insert into content (uuid, owner_uuid, environment_uuid, size, sha256, chunks, attached_at, created_at)
           values ($1, $2, $8, $3, $4, $5, $6, $6))
         insert into content_chunk (content_uuid, environment_uuid, index, bytes) values ($1, $8, 0, $7)`,
};
const MORE = {
  name: 'more',
  text: 'insert into content_chunk (content_uuid, environment_uuid, index, bytes) values ($1, $4, $2, $3)',
};
const RECORD = {
  name: 'record',
  text: `insert into transaction (uuid, environment_uuid, identity_uuid, connection_uuid, fetch_uuid, integration_id,
           document_type, external_id, dedupe_key, filename, mime_type, size, sha256, content_uuid, content_chunks,
           metadata, available_until, strategy, status, due_at, attempts, created_at)
         values ($1, $2, $3, $4, $5, 'bench', 'invoice', $6, $7, $8, 'application/pdf', $9, $10, $11, $12, $13, $14,
           'PUSH', 'PENDING', $15, 0, $15)`,
};

function encrypt(plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

async function one(database: Client, task: Task, fetch: string, number: number): Promise<void> {
  const content = uuid();
  const now = new Date();
  const plain = Buffer.concat([...documentBytes(BLOCK, number, task.bytes)]);
  const sha256 = createHash('sha256').update(plain).digest('hex');
  const chunks = Math.ceil(plain.length / CHUNK_BYTES);
  for (let index = 0; index < chunks; index++) {
    const encrypted = encrypt(plain.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES), `${content}:${index}`);
    if (index > 0) await database.query({ ...MORE, values: [content, index, encrypted, task.environment] });
    else {
      const values = [content, task.owner, plain.length, sha256, chunks, now, encrypted, task.environment];
      await database.query({ ...STORE, values });
    }
  }
  const metadata = { number: String(number), date: '2026-01-31', amount: '119.00', currency: 'EUR' };
  const [id, key, filename] = [String(number), `document ${number}`, `invoice-${number}.pdf`];
  const until = new Date(now.getTime() + 30 * 86_400_000);
  await database.query({
    ...RECORD,
    values: [
      ...[uuid(), task.environment, task.identity, task.connection, fetch, id, key, filename],
      ...[plain.length, sha256, content, chunks, metadata, until, now],
    ],
  });
}

async function all(database: Client, task: Task): Promise<number> {
  const began = performance.now();
  const fetch = uuid();
  for (let start = 0; start < task.documents; start += A_COMMIT) {
    await database.query('begin');
    for (let number = start; number < Math.min(start + A_COMMIT, task.documents); number++) {
      await one(database, task, fetch, number);
    }
    await database.query('commit');
  }
  return performance.now() - began;
}

async function main(): Promise<void> {
  const database = new Client({ connectionString: process.env.DATABASE_URL });
  await database.connect();
  process.on('message', (task: Task) => void all(database, task).then((ms) => process.send!({ ms })));
  process.send!('ready');
}

void main();
