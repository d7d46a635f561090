// Hears from Docfetch that there is a document, and pulls it. Node 20 or newer, no dependencies: copy it and change `work`.
//
//   DOCFETCH_URL='https://…' API_KEY='…' SECRET='whsec_…' node webhook-pull.mjs
//
// DOCFETCH_URL    where the API is
// API_KEY         a key of your environment
// SECRET          the secret of the webhook, shown once when you registered it
// PORT            default 4000, 0 for any free one
// HOST            default 127.0.0.1
// FOLDER          where documents are kept, default ./received; for one process at a time
// RETRY_SECONDS   how long to wait when working on a document has failed, default 60
// ACCEPT_TYPES    document types that you can use, say `invoice,credit_note`; any when left out
//
// A webhook is sent once and never again, but what you missed is in the feed: run polling.mjs with the same FOLDER and
// POLL_SECONDS=0 before this one, at each start. What is there already is not worked on again.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { DOCFETCH_URL, API_KEY, SECRET, PORT = '4000', HOST = '127.0.0.1', FOLDER = 'received' } = process.env;
const { RETRY_SECONDS = '60', ACCEPT_TYPES } = process.env;
/** Events are short. */
const LONGEST_BODY = 1024 * 1024;
/** An event that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

if (!DOCFETCH_URL || !API_KEY || !SECRET?.startsWith('whsec_')) {
  console.error('Set DOCFETCH_URL, API_KEY and SECRET (whsec_…).');
  process.exit(1);
}
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/** Throw it in `work` for a document that you will never be able to use; up to 1000 characters. */
class Rejection extends Error {}

/**
 * What your application does with a document, whose bytes are at `path`. Whatever it throws except a `Rejection` has it
 * called again, and a process that was killed in it as well: let it do no harm to do it twice.
 */
async function work({ transaction_uuid, client_identifier, document_type, external_id, filename, sha256 }, path) {
  if (ACCEPT_TYPES && !ACCEPT_TYPES.split(',').includes(document_type))
    throw new Rejection(`We have no use for documents of the type ${document_type}.`);
  console.log(
    JSON.stringify({ transaction_uuid, client_identifier, document_type, external_id, filename, sha256, path }),
  );
}

/** What your application does with any other event. */
function hear({ type, timestamp, data }) {
  console.log(JSON.stringify({ type, timestamp, data }));
}

const server = createServer((request, response) => {
  receive(request).then(
    ({ status, event }) => {
      response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end();
      if (event) hear(event);
      wake();
    },
    (error) => {
      console.error('Receiving failed:', error);
      if (!response.headersSent) response.writeHead(500).end();
    },
  );
});

/** The status to answer, and the event unless it announces a document: that is written down instead. */
async function receive(request) {
  if (request.method !== 'POST') return { status: 405 };
  const body = await read(request);
  if (!body) return { status: 413 };
  const fault = signatureFault(request.headers, body);
  if (fault) {
    console.error(`Refused a request: ${fault}.`);
    return { status: 401 };
  }
  const event = JSON.parse(body.toString('utf8'));
  if (event.type !== 'document.available') return { status: 200, event };
  const { transaction_uuid } = event.data;
  if (!UUID.test(transaction_uuid)) return { status: 400 };
  // Note it, then answer at once: there are ten seconds, and pulling may take longer. Twice is noted once.
  if (!(await exists(`${transaction_uuid}.done`)))
    await save(join(FOLDER, `${transaction_uuid}.todo`), JSON.stringify(event.data));
  return { status: 200 };
}

/**
 * Checks the signature over the body exactly as it arrived (https://www.standardwebhooks.com): HMAC-SHA256 of
 * "id.timestamp.body". While the secret is being changed there are two signatures, and one of them has to fit.
 * Returns what is wrong, or null.
 */
function signatureFault(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? '')) return 'not signed';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return 'signed too long ago';
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // Compares with all of them, whichever fits: the time it takes tells nothing.
  const fits = signatures.split(' ').filter((signature) => same(signature, `v1,${expected}`));
  return fits.length > 0 ? null : 'wrong signature';
}

/** Compares in constant time, for texts of any length. */
function same(a, b) {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one, other);
}

/** The whole body, or null when it is too long. */
async function read(request) {
  const parts = [];
  let length = 0;
  // Without destroyOnReturn: the answer still has to get through.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > LONGEST_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const exists = (file) =>
  access(join(FOLDER, file)).then(
    () => true,
    () => false,
  );

/** Ends the wait of `pullAll` for news. */
let wake = () => undefined;

/** Pulls what has been noted, one after the other, also by the process before this one. Never ends. */
async function pullAll() {
  for (;;) {
    const news = new Promise((resolve) => (wake = resolve));
    let failed = false;
    for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.todo')).sort()) {
      try {
        await handle(JSON.parse(await textOf(join(FOLDER, file))));
        await rm(join(FOLDER, file));
      } catch (error) {
        // It stays noted, and the others have their turn.
        console.error(`Pulling ${file} failed:`, error);
        failed = true;
      }
    }
    await Promise.race(failed ? [news, sleep(Number(RETRY_SECONDS) * 1000)] : [news]);
  }
}

await mkdir(FOLDER, { recursive: true, mode: 0o700 });
server.on('error', (error) => {
  console.error(`Cannot listen on port ${PORT}: ${error.message}`);
  process.exit(1);
});
server.listen(Number(PORT), HOST, () => {
  const { address, port, family } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`);
  pullAll();
});
// Whatever it is pulling is gone on with at the next start.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));

// From here on polling.mjs and webhook-pull.mjs are the same.

/**
 * Brings one document home, has it worked on and acknowledges it. It may be cut off anywhere and called again: each step
 * leaves something behind that says it has been done.
 */
async function handle(document) {
  const { transaction_uuid } = document;
  const done = join(FOLDER, `${transaction_uuid}.done`);
  try {
    let verdict = await textOf(done);
    if (!verdict) {
      verdict = JSON.stringify(await verdictOn(document, await download(document)));
      await save(done, verdict);
    }
    // Again after a lost answer does no harm. The content is kept a few days more, then purged.
    await call(`/v1/transactions/${transaction_uuid}/acknowledge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: verdict,
    });
  } catch (error) {
    // Its content has been purged, or its connection deleted with all it had: asking again brings nothing.
    if (error.status !== 404) throw error;
    console.error(`${transaction_uuid} is gone: ${error.message}`);
  }
}

async function verdictOn(document, path) {
  try {
    await work(document, path);
    return { result: 'ACCEPTED' };
  } catch (error) {
    if (error instanceof Rejection) return { result: 'REJECTED', message: error.message.slice(0, 1000) };
    throw error;
  }
}

/** The path of the document's bytes, checked. What a cut line or a killed process left unfinished is gone on with. */
async function download({ transaction_uuid, filename, size, sha256 }) {
  const part = join(FOLDER, `.${transaction_uuid}.part`);
  const file = await open(part, 'a');
  try {
    await fill(file, transaction_uuid, size, sha256);
    await file.sync();
  } finally {
    await file.close();
  }
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(part)) hash.update(bytes);
  if (hash.digest('hex') !== sha256) {
    await rm(part);
    throw new Error(`The bytes of ${transaction_uuid} have another SHA-256 than announced.`);
  }
  // The name comes from a mail or a portal: never use it as a path.
  const name = filename
    .normalize()
    .replace(/[^\p{L}\p{N} ._&()-]/gu, '_')
    .slice(-60);
  const path = join(FOLDER, `${transaction_uuid} ${name}`);
  await rename(part, path);
  return path;
}

/** Asks for what is still missing, until nothing is. The memory it takes does not depend on the size. */
async function fill(file, transactionUuid, size, sha256) {
  for (let cuts = 0; ; cuts++) {
    const { size: have } = await file.stat();
    if (have >= size) return;
    const headers = { accept: 'application/octet-stream', 'accept-encoding': 'identity' };
    const rest = { range: `bytes=${have}-`, 'if-range': `"${sha256}"` };
    const response = await call(`/v1/transactions/${transactionUuid}/document`, {
      headers: have > 0 ? { ...headers, ...rest } : headers,
    });
    // 206 is the rest, 200 the whole.
    if (response.status === 200) await file.truncate(0);
    try {
      for await (const bytes of response.body) await file.appendFile(bytes);
    } catch (error) {
      if (error.syscall) throw error; // the disk, not the line
      console.error(`The download of ${transactionUuid} was cut, going on: ${error.message}`);
      await sleep(Math.min(100 * 2 ** cuts, 60_000));
    }
  }
}

/**
 * A call of the API that waits and asks again for as long as it is not reached, is overloaded (5xx) or wants us to slow
 * down (429, `Retry-After`). Throws an error with the `status` for any other answer that is not a success.
 */
async function call(path, init = {}) {
  for (let failures = 0; ; failures++) {
    let seconds = Math.min(2 ** failures, 60);
    let why;
    try {
      const headers = { 'x-api-key': API_KEY, ...init.headers };
      const response = await fetch(`${DOCFETCH_URL}${path}`, { ...init, headers, redirect: 'error' });
      if (response.ok) return response;
      why = `${response.status} ${await response.text()}`;
      if (response.status < 500 && response.status !== 429)
        throw Object.assign(new Error(why), { status: response.status });
      seconds = Number(response.headers.get('retry-after')) || seconds;
    } catch (error) {
      if (error.status) throw error;
      why ??= error.cause?.message ?? error.message;
    }
    console.error(`${path.split('?')[0]}: ${why.slice(0, 300)}; again in ${seconds} s`);
    await sleep(seconds * 1000);
  }
}

/** The text of a file, '' when there is none. */
async function textOf(path) {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** Writes a file wholly or not at all, so that it outlives a power failure (on Windows the system sees to the folder). */
async function save(path, text) {
  const unfinished = join(FOLDER, `.${randomUUID()}.unfinished`);
  await writeFile(unfinished, text, { flush: true });
  await rename(unfinished, path);
  if (process.platform === 'win32') return;
  const folder = await open(FOLDER);
  await folder.sync().finally(() => folder.close());
}
