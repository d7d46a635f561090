// Receives the event that a document is available, and pulls it. Node 20 or newer, no dependencies: copy it and change
// `processDocument`.
//
//   DOCFETCH_URL='https://…' API_KEY='…' SECRET='whsec_…' node webhook-pull.mjs
//
// DOCFETCH_URL    where the API is
// API_KEY         a key of your environment
// SECRET          the secret of the webhook, shown once when you registered it
// PORT            default 4000, 0 for any free one
// HOST            default 127.0.0.1
// FOLDER          where documents are stored, default ./received; for one process at a time
// RETRY_SECONDS   how long to wait after a document could not be processed, default 60
// ACCEPT_TYPES    document types that you can use, say `invoice,credit_note`; any when left out
//
// A webhook is sent only once, but what you missed is in the feed: run polling.mjs with the same FOLDER and
// POLL_SECONDS=0 before this one, at each start. Documents that are known already are not processed again.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { DOCFETCH_URL, API_KEY, SECRET, PORT = '4000', HOST = '127.0.0.1', FOLDER = 'received' } = process.env;
const { RETRY_SECONDS = '60', ACCEPT_TYPES } = process.env;
/** Events are short. */
const MAX_BODY_BYTES = 1024 * 1024;
/** An event that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

if (!DOCFETCH_URL || !API_KEY || !SECRET?.startsWith('whsec_')) {
  console.error('Set DOCFETCH_URL, API_KEY and SECRET (whsec_…).');
  process.exit(1);
}
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/** Throw it in `processDocument` for a document that you can never use; up to 1000 characters. */
class Rejection extends Error {}

/**
 * Your application's handler of a document, whose bytes are at `path`. When it throws anything but a `Rejection`, or the
 * process ends before it has finished, it is called again: running twice must do no harm.
 */
async function processDocument(
  { transaction_uuid, client_identifier, document_type, external_id, filename, sha256 },
  path,
) {
  if (ACCEPT_TYPES && !ACCEPT_TYPES.split(',').includes(document_type))
    throw new Rejection(`We have no use for documents of the type ${document_type}.`);
  console.log(
    JSON.stringify({ transaction_uuid, client_identifier, document_type, external_id, filename, sha256, path }),
  );
}

/** Your application's handler of any other event. */
function handleEvent({ type, timestamp, data }) {
  console.log(JSON.stringify({ type, timestamp, data }));
}

const server = createServer((request, response) => {
  receive(request).then(
    ({ status, event }) => {
      response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end();
      if (event) handleEvent(event);
      notifyPuller();
    },
    (error) => {
      console.error('Receiving failed:', error);
      if (!response.headersSent) response.writeHead(500).end();
    },
  );
});

/** Returns the status of the response, and the event unless it announces a document, which is noted instead. */
async function receive(request) {
  if (request.method !== 'POST') return { status: 405 };
  const body = await readBody(request);
  if (!body) return { status: 413 };
  const problem = signatureProblem(request.headers, body);
  if (problem) {
    console.error(`Refused a request: ${problem}.`);
    return { status: 401 };
  }
  const event = JSON.parse(body.toString('utf8'));
  if (event.type !== 'document.available') return { status: 200, event };
  const { transaction_uuid } = event.data;
  if (!UUID.test(transaction_uuid)) return { status: 400 };
  // Note it, then answer immediately: the time limit is ten seconds, and pulling may take longer. A second event changes nothing.
  if (!(await exists(`${transaction_uuid}.done`)))
    await writeAtomically(join(FOLDER, `${transaction_uuid}.todo`), JSON.stringify(event.data));
  return { status: 200 };
}

/**
 * Checks the signature over the body exactly as it arrived (https://www.standardwebhooks.com): HMAC-SHA256 of
 * "id.timestamp.body". During a rotation of the secret there are two signatures, and one of them has to match.
 * Returns the problem, or null.
 */
function signatureProblem(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? '')) return 'not signed';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return 'signed too long ago';
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // Compares with all of them, whichever matches: the time it takes reveals nothing.
  const matching = signatures.split(' ').filter((signature) => equal(signature, `v1,${expected}`));
  return matching.length > 0 ? null : 'wrong signature';
}

/** Compares in constant time, for texts of any length. */
function equal(a, b) {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one, other);
}

/** The whole body, or null when it is too long. */
async function readBody(request) {
  const parts = [];
  let length = 0;
  // Without destroyOnReturn: the response still has to be sent.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const exists = (file) =>
  access(join(FOLDER, file)).then(
    () => true,
    () => false,
  );

/** Ends the wait of `pullAll` for another event. */
let notifyPuller = () => undefined;

/** Pulls the noted documents one after another, also those of earlier runs. Never ends. */
async function pullAll() {
  for (;;) {
    const nextEvent = new Promise((resolve) => (notifyPuller = resolve));
    let failed = false;
    for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.todo')).sort()) {
      try {
        await handleDocument(JSON.parse(await readText(join(FOLDER, file))));
        await rm(join(FOLDER, file));
      } catch (error) {
        // It stays noted, and the others are pulled.
        console.error(`Pulling ${file} failed:`, error);
        failed = true;
      }
    }
    await Promise.race(failed ? [nextEvent, sleep(Number(RETRY_SECONDS) * 1000)] : [nextEvent]);
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
// An interrupted pull is resumed at the next start.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));

// From here on polling.mjs and webhook-pull.mjs are the same.

/**
 * Downloads, processes and acknowledges one document. It may be interrupted anywhere and called again: each completed step
 * leaves a file that is found then.
 */
async function handleDocument(document) {
  const { transaction_uuid } = document;
  const done = join(FOLDER, `${transaction_uuid}.done`);
  try {
    let verdict = await readText(done);
    if (!verdict) {
      verdict = JSON.stringify(await processAndDecide(document, await download(document)));
      await writeAtomically(done, verdict);
    }
    // Repeating it after a lost response does no harm. The content is kept for some days, then purged.
    await callApi(`/v1/transactions/${transaction_uuid}/acknowledge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: verdict,
    });
  } catch (error) {
    // Its content was purged, or its connection was deleted with its documents: a retry cannot succeed.
    if (error.status !== 404) throw error;
    console.error(`${transaction_uuid} is gone: ${error.message}`);
  }
}

async function processAndDecide(document, path) {
  try {
    await processDocument(document, path);
    return { result: 'ACCEPTED' };
  } catch (error) {
    if (error instanceof Rejection) return { result: 'REJECTED', message: error.message.slice(0, 1000) };
    throw error;
  }
}

/** Returns the path of the document's verified bytes. An interrupted download is resumed. */
async function download({ transaction_uuid, filename, size, sha256 }) {
  const partialFile = join(FOLDER, `.${transaction_uuid}.part`);
  const file = await open(partialFile, 'a');
  try {
    await downloadMissing(file, transaction_uuid, size, sha256);
    await file.sync();
  } finally {
    await file.close();
  }
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(partialFile)) hash.update(bytes);
  if (hash.digest('hex') !== sha256) {
    await rm(partialFile);
    throw new Error(`The bytes of ${transaction_uuid} have another SHA-256 than announced.`);
  }
  // The name comes from a mail or a portal: never use it as a path.
  const name = filename
    .normalize()
    .replace(/[^\p{L}\p{N} ._&()-]/gu, '_')
    .slice(-60);
  const path = join(FOLDER, `${transaction_uuid} ${name}`);
  await rename(partialFile, path);
  return path;
}

/** Requests the missing bytes until the file is complete. Its memory does not depend on the size. */
async function downloadMissing(file, transactionUuid, size, sha256) {
  for (let interruptions = 0; ; interruptions++) {
    const { size: received } = await file.stat();
    if (received >= size) return;
    const headers = { accept: 'application/octet-stream', 'accept-encoding': 'identity' };
    const missingRange = { range: `bytes=${received}-`, 'if-range': `"${sha256}"` };
    const response = await callApi(`/v1/transactions/${transactionUuid}/document`, {
      headers: received > 0 ? { ...headers, ...missingRange } : headers,
    });
    // 206 is the missing part, 200 the whole document.
    if (response.status === 200) await file.truncate(0);
    try {
      for await (const bytes of response.body) await file.appendFile(bytes);
    } catch (error) {
      if (error.syscall) throw error; // from the disk, not from the connection
      console.error(`The download of ${transactionUuid} was interrupted and is resumed: ${error.message}`);
      await sleep(Math.min(100 * 2 ** interruptions, 60_000));
    }
  }
}

/**
 * Calls the API, and retries while it is unreachable, overloaded (5xx) or asks for fewer requests (429, `Retry-After`).
 * Throws an error with the `status` for any other response that is not a success.
 */
async function callApi(path, init = {}) {
  for (let failures = 0; ; failures++) {
    let seconds = Math.min(2 ** failures, 60);
    let reason;
    try {
      const headers = { 'x-api-key': API_KEY, ...init.headers };
      const response = await fetch(`${DOCFETCH_URL}${path}`, { ...init, headers, redirect: 'error' });
      if (response.ok) return response;
      reason = `${response.status} ${await response.text()}`;
      if (response.status < 500 && response.status !== 429)
        throw Object.assign(new Error(reason), { status: response.status });
      seconds = Number(response.headers.get('retry-after')) || seconds;
    } catch (error) {
      if (error.status) throw error;
      reason ??= error.cause?.message ?? error.message;
    }
    console.error(`${path.split('?')[0]}: ${reason.slice(0, 300)}; again in ${seconds} s`);
    await sleep(seconds * 1000);
  }
}

/** The text of a file; empty when the file does not exist. */
async function readText(path) {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** Writes a file completely or not at all; it survives a power failure (Windows syncs the folder by itself). */
async function writeAtomically(path, text) {
  const unfinished = join(FOLDER, `.${randomUUID()}.unfinished`);
  await writeFile(unfinished, text, { flush: true });
  await rename(unfinished, path);
  if (process.platform === 'win32') return;
  const folder = await open(FOLDER);
  await folder.sync().finally(() => folder.close());
}
