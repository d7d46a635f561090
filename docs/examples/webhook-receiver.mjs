// Receives the events that Docfetch sends to webhooks, and prints each on a line. Node 20 or newer, no dependencies.
//
//   SECRET='whsec_…' node webhook-receiver.mjs
//
// SECRET  the secret of the webhook, from the answer in which it was registered; while it is rotated both, separated by a comma
// PORT    default 4002, 0 for any free one
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SECRET = '', PORT = '4002' } = process.env;
/** Events are small: they tell of a document, they do not carry it. */
const LONGEST_BODY = 1024 * 1024;
/** A message that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
/** Ids of the last events: one may arrive twice. */
const seen = new Set();

const keys = SECRET.split(',').map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
if (keys.some((key) => key.length < 24)) {
  console.error('Set SECRET to the secret of the webhook (whsec_…).');
  process.exit(1);
}

/** What your application does with an event, for example pull the document of `event.data.transaction_uuid`. */
function work(event) {
  console.log(JSON.stringify(event));
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});

/** Any 2xx says that the event has arrived. Answer within ten seconds: it is not sent again. */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  const parts = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > LONGEST_BODY) return 413;
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  if (!isSigned(request.headers, body)) return 401;
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) work(JSON.parse(body.toString('utf8')));
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
  return 204;
}

/** Standard Webhooks: HMAC-SHA256 of "id.timestamp.body", over the body exactly as it arrived. */
function isSigned({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return keys.some((key) => {
      const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  });
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}/`));
server.on('error', (error) => {
  console.error(`Cannot listen on port ${PORT}: ${error.message}`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
