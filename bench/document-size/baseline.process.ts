import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';

/** The baseline's task and result. */
export type Task = { readonly store: number } | { readonly send: string };
export interface Done {
  readonly ms: number;
  readonly sha256?: string;
}

// The minimum work for a document, without a framework: socket → sha256 → AES-256-GCM → rows, and back out.

const CHUNK_BYTES = 256 * 1024;
const KEY = Buffer.alloc(32, 7);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

async function store(database: Client, port: number): Promise<string> {
  await database.query('truncate baseline_chunk');
  const hash = createHash('sha256');
  const source = connect(port, '127.0.0.1');
  let parts: Buffer[] = [];
  let held = 0;
  let index = 0;
  const flush = async () => {
    const plain = Buffer.concat(parts);
    [parts, held] = [[], 0];
    hash.update(plain);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', KEY, nonce);
    const encrypted = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    await database.query('insert into baseline_chunk (index, bytes) values ($1, $2)', [index++, encrypted]);
  };
  for await (const data of source) {
    for (let rest = data as Buffer; rest.length > 0;) {
      const part = rest.subarray(0, CHUNK_BYTES - held);
      parts.push(part);
      held += part.length;
      rest = rest.subarray(part.length);
      if (held === CHUNK_BYTES) await flush();
    }
  }
  if (held > 0) await flush();
  return hash.digest('hex');
}

async function* json(database: Client): AsyncGenerator<string> {
  yield '{"document":{"base64":"';
  let rest: Buffer = Buffer.alloc(0);
  for (let index = 0; ; index++) {
    const { rows } = await database.query<{ bytes: Buffer }>('select bytes from baseline_chunk where index = $1', [
      index,
    ]);
    const encrypted = rows[0]?.bytes;
    if (!encrypted) break;
    const decipher = createDecipheriv('aes-256-gcm', KEY, encrypted.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
    const plain = Buffer.concat([rest, decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    const whole = plain.length - (plain.length % 3);
    yield plain.toString('base64', 0, whole);
    rest = plain.subarray(whole);
  }
  yield `${rest.toString('base64')}"}}`;
}

async function send(database: Client, url: string): Promise<void> {
  const post = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const answered = once(post, 'response');
  await pipeline(Readable.from(json(database), { objectMode: false }), post);
  const [answer] = (await answered) as [Readable & { statusCode: number }];
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
}

async function main(): Promise<void> {
  const database = new Client({ connectionString: process.env.DATABASE_URL });
  await database.connect();
  process.on('message', (task: Task) => {
    const started = performance.now();
    const work = 'store' in task ? store(database, task.store) : send(database, task.send);
    void work.then((sha256) =>
      process.send!({ ms: performance.now() - started, ...(sha256 && { sha256 }) } satisfies Done),
    );
  });
  process.send!('ready');
}

void main();
