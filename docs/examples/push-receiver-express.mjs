// Receives the documents that Docfetch pushes, in Express. Node 20 or newer, `npm install express`: copy it and change
// `processDocument`.
//
//   SECRET='whsec_…' TOKEN='…' node push-receiver-express.mjs
//
// SECRET  the signing secret of your environment
// TOKEN   the bearer token that you gave to the support team; leave it out when there is none
// PORT    default 4000, 0 for any free one
// HOST    default 127.0.0.1
// FOLDER  where documents are stored, default ./received; for one receiver at a time
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';

const { SECRET, TOKEN, PORT = '4000', HOST = '127.0.0.1', FOLDER = 'received' } = process.env;
/** Documents of up to 50 MiB are pushed; base64 makes them a third longer. */
const MAX_BODY = '100mb';
/** A message that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

if (!SECRET?.startsWith('whsec_')) {
  console.error('Set SECRET to the signing secret of your environment (whsec_…).');
  process.exit(1);
}
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

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

const app = express().disable('x-powered-by');

app
  .route('/docfetch')
  // The raw body of this one route: the signature is over the bytes. An `express.json()` for all routes has to come later.
  .post(authenticate, express.raw({ type: () => true, limit: MAX_BODY, inflate: false }), receive)
  .all((request, response) => response.set('allow', 'POST').sendStatus(405));

// Express knows it as the handler of errors by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  // Docfetch tries again: nothing is lost.
  console.error('Receiving failed:', error);
  response.sendStatus(error.status ?? 500);
});

/** Before the body is read: a request without the token takes no memory. */
function authenticate(request, response, next) {
  if (TOKEN && !equal(request.get('authorization') ?? '', `Bearer ${TOKEN}`))
    return refuse(response, 'wrong bearer token');
  next();
}

async function receive(request, response) {
  const body = request.body ?? Buffer.alloc(0);
  const problem = signatureProblem(request.headers, body);
  if (problem) return refuse(response, problem);

  const payload = JSON.parse(body.toString('utf8'));
  if (!UUID.test(payload.transaction_uuid)) return response.sendStatus(400);
  // Store it before you answer 200: from then on you alone have the document.
  const isNew = await store(payload.transaction_uuid, body);
  // A document may arrive twice (a response got lost): answer 200 again, but do not process it again.
  response.sendStatus(200);
  if (isNew) finish(payload);
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

function refuse(response, reason) {
  console.error(`Refused a request: ${reason}.`);
  response.sendStatus(401);
}

await mkdir(FOLDER, { recursive: true, mode: 0o700 });
await resume();
const server = app.listen(Number(PORT), HOST, (error) => {
  if (error) {
    console.error(`Cannot listen on port ${PORT}: ${error.message}`);
    process.exit(1);
  }
  const { address, port, family } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}/docfetch`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
