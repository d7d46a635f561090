import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { Agent, type Dispatcher, request } from 'undici';

/** So many bodies of so many bytes, so many at the same time. */
export interface Load {
  readonly url: string;
  readonly count: number;
  readonly bytes: number;
  readonly atOnce: number;
  /** Without it, the same body is sent from memory again and again; with it, each is read from this database and noted there. */
  readonly database?: string;
}

const KEY = Buffer.alloc(32, 7);
const [NONCE_BYTES, TAG_BYTES] = [12, 16];
const FILL_AT_ONCE = 4;

/** What is done for one body. */
type Send = (index: number) => Promise<void>;

async function post(url: string, body: Buffer, dispatcher: Dispatcher, more: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), ...more };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
}

/** Bare undici with keep-alive, to an endpoint that answers 200. */
function fromMemory({ url, bytes }: Load, dispatcher: Dispatcher): Send {
  const body = Buffer.alloc(bytes, 'x');
  return () => post(url, body, dispatcher);
}

/** The least that there is to do when documents are kept sealed in a database: read, open, encode, sign, send, note. */
function fromDatabase({ url }: Load, dispatcher: Dispatcher, pool: Pool): Send {
  return async (id) => {
    const { rows } = await pool.query<{ sealed: Buffer }>({
      name: 'read',
      text: 'select sealed from floor_document where id = $1',
      values: [id],
    });
    const body = Buffer.from(`{"document":{"base64":"${open(rows[0]!.sealed).toString('base64')}"}}`);
    const signature = createHmac('sha256', KEY).update(body).digest('base64');
    await post(url, body, dispatcher, { 'webhook-signature': signature });
    await pool.query({
      name: 'note',
      text: 'update floor_document set delivered_at = now() where id = $1',
      values: [id],
    });
  };
}

function seal(plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', KEY, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

async function fill(pool: Pool, count: number, bytes: number): Promise<void> {
  await pool.query('drop table if exists floor_document');
  await pool.query('create table floor_document (id integer primary key, sealed bytea, delivered_at timestamptz)');
  await pool.query('alter table floor_document alter column sealed set storage external');
  await inLanes(FILL_AT_ONCE, count, async (id) => {
    await pool.query('insert into floor_document (id, sealed) values ($1, $2)', [id, seal(Buffer.alloc(bytes, 'x'))]);
  });
  await pool.query('vacuum analyze floor_document');
  await pool.query('checkpoint');
}

async function inLanes(atOnce: number, count: number, work: Send): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function send(load: Load): Promise<number> {
  const dispatcher = new Agent({ connections: load.atOnce, pipelining: 1 });
  const pool = load.database ? new Pool({ connectionString: load.database, max: load.atOnce }) : null;
  if (pool) await fill(pool, load.count, load.bytes);
  const one = pool ? fromDatabase(load, dispatcher, pool) : fromMemory(load, dispatcher);
  const began = performance.now();
  await inLanes(load.atOnce, load.count, one);
  const ms = performance.now() - began;
  await pool?.query('drop table floor_document');
  await Promise.all([dispatcher.close(), pool?.end()]);
  return ms;
}

process.on('message', (load: Load) => void send(load).then((ms) => process.send!({ ms })));
process.send!('ready');
