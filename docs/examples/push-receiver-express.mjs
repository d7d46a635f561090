// Receives the documents that Docfetch pushes, in Express. Node 20 or newer, `npm install express`: copy it and change `work`.
//
//   SECRET='whsec_…' TOKEN='…' node push-receiver-express.mjs
//
// SECRET  the signing secret of your environment
// TOKEN   the bearer token that you gave to the support team; leave it out when there is none
// PORT    default 4000, 0 for any free one
// HOST    default 127.0.0.1
// FOLDER  where documents are kept, default ./received; for one receiver at a time
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';

const { SECRET, TOKEN, PORT = '4000', HOST = '127.0.0.1', FOLDER = 'received' } = process.env;
/** Documents of up to 50 MiB are pushed; base64 makes them a third longer. */
const LONGEST_BODY = '100mb';
/** A message that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

if (!SECRET?.startsWith('whsec_')) {
  console.error('Set SECRET to the signing secret of your environment (whsec_…).');
  process.exit(1);
}
const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

/**
 * What your application does with a document. It runs after the answer, so it may take as long as it likes. When it fails,
 * or the process ends before it has, it runs again at the next start: let it do no harm to do it twice.
 */
async function work(payload) {
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
  .post(authenticate, express.raw({ type: () => true, limit: LONGEST_BODY, inflate: false }), receive)
  .all((request, response) => response.set('allow', 'POST').sendStatus(405));

// Express knows it as the handler of errors by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  // Docfetch tries again: nothing is lost.
  console.error('Receiving failed:', error);
  response.sendStatus(error.status ?? 500);
});

/** Before the body is read: strangers get no memory. */
function authenticate(request, response, next) {
  if (TOKEN && !same(request.get('authorization') ?? '', `Bearer ${TOKEN}`))
    return refuse(response, 'wrong bearer token');
  next();
}

async function receive(request, response) {
  const body = request.body ?? Buffer.alloc(0);
  const fault = signatureFault(request.headers, body);
  if (fault) return refuse(response, fault);

  const payload = JSON.parse(body.toString('utf8'));
  if (!UUID.test(payload.transaction_uuid)) return response.sendStatus(400);
  // Keep it before you answer 200: from then on the document is yours alone.
  const isNew = await keep(payload.transaction_uuid, body);
  // A document may arrive twice (an answer got lost): say 200 again, but do not work on it again.
  response.sendStatus(200);
  if (isNew) finish(payload);
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

/** Writes the body under the transaction's uuid, all of it or nothing. Returns false when it is there already. */
async function keep(transactionUuid, body) {
  const unfinished = join(FOLDER, `.${randomUUID()}`);
  try {
    await writeFile(unfinished, body, { flush: true });
    await link(unfinished, join(FOLDER, `${transactionUuid}.json`));
    await flushFolder();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Makes what was just created in the folder outlive a power failure. Windows does so by itself. */
async function flushFolder() {
  if (process.platform === 'win32') return;
  const folder = await open(FOLDER);
  await folder.sync().finally(() => folder.close());
}

/** Works on a document. What is left of the body then is an empty file: it says that the document has been here. */
async function finish(payload) {
  try {
    await work(payload);
    await truncate(join(FOLDER, `${payload.transaction_uuid}.json`));
  } catch (error) {
    console.error(`Working on ${payload.transaction_uuid} failed:`, error);
  }
}

/** What the last process was given and did not get done: Docfetch has been told 200, and will not send it again. */
async function catchUp() {
  for (const file of await readdir(FOLDER)) {
    const path = join(FOLDER, file);
    if (/^\.[0-9a-f-]{36}$/.test(file)) await rm(path);
    else if (UUID.test(file.slice(0, -'.json'.length)) && file.endsWith('.json') && (await stat(path)).size > 0)
      await finish(JSON.parse(await readFile(path, 'utf8')));
  }
}

function refuse(response, why) {
  console.error(`Refused a request: ${why}.`);
  response.sendStatus(401);
}

await mkdir(FOLDER, { recursive: true, mode: 0o700 });
await catchUp();
const server = app.listen(Number(PORT), HOST, (error) => {
  if (error) {
    console.error(`Cannot listen on port ${PORT}: ${error.message}`);
    process.exit(1);
  }
  const { address, port, family } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}/docfetch`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
