// Polls Docfetch for documents. Node 20 or newer, no dependencies: copy it and change `work`.
//
//   DOCFETCH_URL='https://…' API_KEY='…' node polling.mjs
//
// DOCFETCH_URL    where the API is
// API_KEY         a key of your environment
// FOLDER          where documents and the cursor are kept, default ./received; for one process at a time
// POLL_SECONDS    how long to wait when there is nothing more, default 60; 0: end then, for cron
// ACCEPT_TYPES    document types that you can use, say `invoice,credit_note`; any when left out
//
// Kill it whenever you like: at the next start it goes on where it was, and no document is left out.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { DOCFETCH_URL, API_KEY, FOLDER = 'received', POLL_SECONDS = '60', ACCEPT_TYPES } = process.env;

if (!DOCFETCH_URL || !API_KEY) {
  console.error('Set DOCFETCH_URL and API_KEY.');
  process.exit(1);
}

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

/** Follows the feed, oldest first, from where the last process was. */
async function poll() {
  const kept = join(FOLDER, 'cursor');
  let cursor = await textOf(kept);
  for (;;) {
    const query = new URLSearchParams(cursor ? { limit: '100', cursor } : { limit: '100' });
    const response = await call(`/v1/transactions?${query}`);
    const { data, meta } = await response.json();
    for (const { document, ...transaction } of data) await handle({ ...transaction, ...document });
    // Only when all of the page is done: a process that is killed before asks for the same page again.
    if (meta.poll_cursor !== cursor) await save(kept, meta.poll_cursor);
    cursor = meta.poll_cursor;
    if (!meta.has_more) return;
  }
}

await mkdir(FOLDER, { recursive: true, mode: 0o700 });
for (;;) {
  try {
    await poll();
    if (POLL_SECONDS === '0') break;
  } catch (error) {
    // The cursor stays where it is: the same document is tried again.
    console.error('Polling was interrupted:', error);
    if (POLL_SECONDS === '0') process.exit(1);
  }
  await sleep(Number(POLL_SECONDS) * 1000);
}

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
