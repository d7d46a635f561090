// Polls Docfetch for documents. Node 20 or newer, no dependencies: copy it and change `processDocument`.
//
//   DOCFETCH_URL='https://…' API_KEY='…' node polling.mjs
//
// DOCFETCH_URL    where the API is
// API_KEY         a key of your environment
// FOLDER          where documents and the cursor are stored, default ./received; for one process at a time
// POLL_SECONDS    how long to wait when there is nothing more, default 60; 0: end instead, for cron
// ACCEPT_TYPES    document types that you can use, say `invoice,credit_note`; any when left out
//
// It may be stopped at any time: at the next start it resumes where it was, and no document is left out.
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

/** Reads the feed, oldest first, from the stored cursor. */
async function poll() {
  const cursorFile = join(FOLDER, 'cursor');
  let cursor = await readText(cursorFile);
  for (;;) {
    const query = new URLSearchParams(cursor ? { limit: '100', cursor } : { limit: '100' });
    const response = await callApi(`/v1/transactions?${query}`);
    const { data, meta } = await response.json();
    for (const { document, ...transaction } of data) await handleDocument({ ...transaction, ...document });
    // Only after the whole page was handled: a process that ends before requests the same page again.
    if (meta.poll_cursor !== cursor) await writeAtomically(cursorFile, meta.poll_cursor);
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
    // The cursor stays unchanged: the same document is retried.
    console.error('Polling was interrupted:', error);
    if (POLL_SECONDS === '0') process.exit(1);
  }
  await sleep(Number(POLL_SECONDS) * 1000);
}

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
