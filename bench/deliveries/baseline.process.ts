import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { Agent, type Dispatcher, request } from 'undici';

/** The folder of the bodies, the target, and the concurrency. */
export interface Load {
  readonly folder: string;
  readonly url: string;
  readonly secret: string;
  readonly atOnce: number;
  /** Without it, bodies are sent from memory; with it, documents are read from this database and updated there. */
  readonly database?: string;
}

const KEY = randomBytes(32);
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Sends one body. */
type Send = (index: number) => Promise<void>;
/** Prepares one round; the returned function is measured. */
type Round = () => Send;

interface Body {
  readonly uuid: string;
  readonly bytes: Buffer;
}

async function post(url: string, body: Buffer, headers: Record<string, string>, dispatcher: Dispatcher) {
  const more = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const answer = await request(url, { method: 'POST', headers: { ...headers, ...more }, body, dispatcher });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The receiver has answered ${answer.statusCode}.`);
}

function signed(secret: string, { uuid, bytes }: Body): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`${uuid}.${timestamp}.`).update(bytes).digest('base64');
  return { 'webhook-id': uuid, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}

/** Bare undici with keep-alive: all bodies and their signatures are in memory. */
function fromMemory({ url, secret }: Load, bodies: readonly Body[], dispatcher: Dispatcher): Round {
  return () => {
    const headers = bodies.map((body) => signed(secret, body));
    return (at) => post(url, bodies[at]!.bytes, headers[at]!, dispatcher);
  };
}

/** The minimum for documents that are encrypted in a database: read, decrypt, encode, sign, send, update. */
function fromDatabase({ url, secret }: Load, uuids: readonly string[], dispatcher: Dispatcher, pool: Pool): Round {
  const send: Send = async (id) => {
    const { rows } = await pool.query<{ encrypted: Buffer }>({
      name: 'read',
      text: 'select encrypted from baseline_document where id = $1',
      values: [id],
    });
    const uuid = uuids[id]!;
    const base64 = decrypt(rows[0]!.encrypted).toString('base64');
    const bytes = Buffer.from(`{"transaction_uuid":"${uuid}","document":{"base64":"${base64}"}}`);
    await post(url, bytes, signed(secret, { uuid, bytes }), dispatcher);
    await pool.query({
      name: 'note',
      text: 'update baseline_document set delivered_at = now() where id = $1',
      values: [id],
    });
  };
  return () => send;
}

function encrypt(plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(encrypted: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', KEY, encrypted.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

async function fill(pool: Pool, bodies: readonly Body[]): Promise<void> {
  await pool.query('drop table if exists baseline_document');
  await pool.query(
    'create table baseline_document (id integer primary key, encrypted bytea, delivered_at timestamptz)',
  );
  await pool.query('alter table baseline_document alter column encrypted set storage external');
  for (const [id, { bytes }] of bodies.entries()) {
    const { document } = JSON.parse(bytes.toString('utf8')) as { document: { base64: string } };
    const plain = Buffer.from(document.base64, 'base64');
    await pool.query('insert into baseline_document (id, encrypted) values ($1, $2)', [id, encrypt(plain)]);
  }
  await pool.query('vacuum analyze baseline_document');
  await pool.query('checkpoint');
}

async function runConcurrently(atOnce: number, count: number, work: Send): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function prepare(load: Load): Promise<() => Promise<number>> {
  const bodies = readdirSync(load.folder).map((name) => ({
    uuid: name.replace('.json', ''),
    bytes: readFileSync(join(load.folder, name)),
  }));
  const dispatcher = new Agent({ connections: load.atOnce, pipelining: 1 });
  const uuids = bodies.map(({ uuid }) => uuid);
  const count = uuids.length;
  let round: Round;
  if (load.database) {
    const pool = new Pool({ connectionString: load.database, max: load.atOnce });
    await fill(pool, bodies);
    round = fromDatabase(load, uuids, dispatcher, pool);
  } else round = fromMemory(load, bodies, dispatcher);
  return async () => {
    const send = round();
    const began = performance.now();
    await runConcurrently(load.atOnce, count, send);
    return performance.now() - began;
  };
}

let run: () => Promise<number>;

async function handle(message: Load | 'go'): Promise<object> {
  if (message === 'go') return { ms: await run() };
  run = await prepare(message);
  return {};
}
process.on('message', (message: Load | 'go') => void handle(message).then((answer) => process.send!(answer)));
process.send!('ready');
