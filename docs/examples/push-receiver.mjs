// Receives the documents that Docfetch pushes. Node 20 or newer, no dependencies: copy it and change `processDocument`.
//
//   SECRET='whsec_…' TOKEN='…' node push-receiver.mjs
//
// SECRET  the signing secret of your environment; to receive a webhook's events instead, the secret of the webhook
// TOKEN   the bearer token that you gave to the support team; leave it out when there is none
// PORT    default 4000, 0 for any free one
// HOST    default 127.0.0.1
// FOLDER  where documents are stored, default ./received; for one receiver at a time
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { SECRET, TOKEN, PORT = '4000', HOST = '127.0.0.1', FOLDER = 'received' } = process.env;
/** Documents of up to 50 MiB are pushed; base64 makes them a third longer. */
const MAX_BODY_BYTES = 100 * 1024 * 1024;
/** A message that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

if (!SECRET?.startsWith('whsec_')) {
  console.error('Set SECRET to the signing secret of your environment (whsec_…).');
  process.exit(1);
}
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/** Your application's handler of a webhook event. Events are not sent twice: what you miss is still in the API. */
function handleEvent({ type, timestamp, data }) {
  // For `document.available`: GET /v1/transactions/{data.transaction_uuid}/document with your API key.
  console.log(JSON.stringify({ type, timestamp, data }));
}

/**
 * Your application's handler of a document. It runs after the response, so it may take any time. When it fails, or the
 * process ends before it has finished, it runs again at the next start: running twice must do no harm.
 */
async function processDocument(payload) {
  const { transaction_uuid, client_identifier, connection_uuid, document_type, external_id, document, metadata } =
    payload;
  const bytes = Buffer.from(document.base64, 'base64');
  // The name comes from a mail or a portal: never use it as a path.
  const name = document.filename
    .normalize()
    .replace(/[^\p{L}\p{N} ._&()-]/gu, '_')
    .slice(-60);
  await writeFile(join(FOLDER, `${transaction_uuid} ${name}`), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { filename, mime_type } = document;
  const description = {
    transaction_uuid,
    client_identifier,
    connection_uuid,
    document_type,
    external_id,
    filename,
    mime_type,
    size: bytes.length,
    sha256,
    metadata,
  };
  await writeFile(join(FOLDER, `${transaction_uuid} ${name}.metadata.json`), JSON.stringify(description, null, 2));
  console.log(JSON.stringify(description));
}

const server = createServer((request, response) => {
  receive(request).then(
    ({ status, payload, event }) => {
      response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end();
      if (event) handleEvent(event);
      if (payload) finish(payload);
    },
    (error) => {
      // Docfetch tries again: nothing is lost.
      console.error('Receiving failed:', error);
      if (!response.headersSent) response.writeHead(500).end();
    },
  );
});

/** Returns the status of the response, and the payload when it is new. */
async function receive(request) {
  if (request.method !== 'POST') return { status: 405 };
  if (TOKEN && !equal(request.headers.authorization ?? '', `Bearer ${TOKEN}`)) return refused('wrong bearer token');
  const body = await readBody(request);
  if (!body) return { status: 413 };
  const problem = signatureProblem(request.headers, body);
  if (problem) return refused(problem);

  const payload = JSON.parse(body.toString('utf8'));
  if (typeof payload.type === 'string') return { status: 200, event: payload };
  if (!UUID.test(payload.transaction_uuid)) return { status: 400 };
  // Store it before you answer 200: from then on you alone have the document.
  const isNew = await store(payload.transaction_uuid, body);
  // A document may arrive twice (a response got lost): answer 200 again, but do not process it again.
  return { status: 200, payload: isNew ? payload : undefined };
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

/** Writes the body under the transaction's uuid, completely or not at all. Returns false when it is stored already. */
async function store(transactionUuid, body) {
  const unfinished = join(FOLDER, `.${randomUUID()}`);
  try {
    await writeFile(unfinished, body, { flush: true });
    await link(unfinished, join(FOLDER, `${transactionUuid}.json`));
    await syncFolder();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Makes a new file in the folder survive a power failure. Windows does so by itself. */
async function syncFolder() {
  if (process.platform === 'win32') return;
  const folder = await open(FOLDER);
  await folder.sync().finally(() => folder.close());
}

/** Processes a document. Its stored body is then replaced by an empty file, which marks the document as known. */
async function finish(payload) {
  try {
    await processDocument(payload);
    await truncate(join(FOLDER, `${payload.transaction_uuid}.json`));
  } catch (error) {
    console.error(`Processing ${payload.transaction_uuid} failed:`, error);
  }
}

/** Processes what the last run has stored but not finished: it was answered with 200, and is not sent again. */
async function resume() {
  for (const file of await readdir(FOLDER)) {
    const path = join(FOLDER, file);
    if (/^\.[0-9a-f-]{36}$/.test(file)) await rm(path);
    else if (UUID.test(file.slice(0, -'.json'.length)) && file.endsWith('.json') && (await stat(path)).size > 0)
      await finish(JSON.parse(await readFile(path, 'utf8')));
  }
}

function refused(reason) {
  console.error(`Refused a request: ${reason}.`);
  return { status: 401 };
}

await mkdir(FOLDER, { recursive: true, mode: 0o700 });
await resume();
server.listen(Number(PORT), HOST, () => {
  const { address, port, family } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`);
});
server.on('error', (error) => {
  console.error(`Cannot listen on port ${PORT}: ${error.message}`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
