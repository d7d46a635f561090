// A page with the drop-in of Docfetch, and its backend. Node 20 or newer, no dependencies: copy it and change `customerOf`.
//
//   DOCFETCH_URL='http://localhost:3000' API_KEY='df_…' SECRET='whsec_…' node connect-page.mjs
//
// SECRET  the signing secret of your environment; while it is rotated both, separated by a comma
// PORT    default 4100, 0 for any free one; the page is at http://localhost:PORT/
//
// The support team registers the origin of the page, http://localhost:4100, for returning and for embedding:
//
//   npm run cli -- environment update UUID --return-origin http://localhost:4100 --embedding-origin http://localhost:4100
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { DOCFETCH_URL = 'http://localhost:3000', API_KEY, SECRET, PORT = '4100' } = process.env;
/** An address that was signed longer ago, or in the future, may be a replay. */
const TOLERANCE_SECONDS = 300;
const PARAMETERS = [
  'result',
  'action',
  'identity_uuid',
  'connection_uuid',
  'integration_id',
  'status',
  'state',
  'ts',
  'nonce',
];

if (!API_KEY || !SECRET) {
  console.error('Set API_KEY and SECRET to those of your environment.');
  process.exit(1);
}

/** Scripts and frames of this site and of Docfetch, nothing inline: the drop-in needs no more. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' ${new URL(DOCFETCH_URL).origin}`,
  `frame-src ${new URL(DOCFETCH_URL).origin}`,
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Documents</title>
  <script src="${DOCFETCH_URL}/connect/v1.js"></script>
  <script src="/page.js" defer></script>
  <main>
  <h1>Your documents</h1>
  <p><docfetch-connect mode="iframe" token-url="/token">Connect in a dialog</docfetch-connect></p>
  <p><docfetch-connect mode="popup" token-url="/token">Connect in a window</docfetch-connect></p>
  <p><docfetch-connect mode="redirect" token-url="/token">Connect on a page of its own</docfetch-connect></p>
  <p id="outcome" role="status"></p>
  </main>
</html>
`;

/** In the browser: the result is not trusted before the backend has verified its address. */
const PAGE_SCRIPT = `
const outcome = document.getElementById('outcome');
addEventListener('docfetch-success', async ({ detail }) => {
  const response = await fetch('/result', { method: 'POST', body: detail.url });
  const { action, integration_id } = await response.json();
  outcome.textContent = response.ok ? 'Verified: ' + action + ' ' + integration_id : 'Refused';
});
addEventListener('docfetch-exit', ({ detail }) => {
  outcome.textContent = 'Ended: ' + detail.result;
});
`;

const server = createServer((request, response) => {
  handleRequest(request, response).catch((error) => {
    console.error(error.message);
    if (!response.headersSent) response.writeHead(500).end();
  });
});

async function handleRequest(request, response) {
  const { pathname } = new URL(request.url, origin());
  // Other sites must not get tokens of a user who is signed in here.
  const isOwnPage = request.headers.origin === origin();
  if (request.method === 'POST' && !isOwnPage) return sendJson(response, 403, {});
  if (request.method === 'GET' && pathname === '/') {
    response.setHeader('Content-Security-Policy', POLICY);
    return sendText(response, 'text/html; charset=utf-8', PAGE);
  }
  if (request.method === 'GET' && pathname === '/page.js') return sendText(response, 'text/javascript', PAGE_SCRIPT);
  if (request.method === 'POST' && pathname === '/token') {
    return sendJson(response, 200, { token: await getToken(customerOf(request)) });
  }
  if (request.method === 'POST' && pathname === '/result') {
    const url = (await request.toArray()).join('');
    try {
      const verified = verifyReturnUrl(url, SECRET.split(','));
      // Here: that `identity_uuid` is that of the user who is signed in, and that this `nonce` is new.
      console.log(JSON.stringify(verified));
      return sendJson(response, 200, verified);
    } catch (error) {
      console.error(`Refused a result: ${error.message}`);
      return sendJson(response, 422, {});
    }
  }
  response.writeHead(404).end();
}

/** Your identifier of the customer who is signed in. */
function customerOf(_request) {
  return 'customer-4711';
}

/** A token for a customer, whose identity is created the first time. */
async function getToken(clientIdentifier) {
  const identity = await callApi('/v1/identities', { client_identifier: clientIdentifier });
  const session = await callApi('/token', {
    identity_uuid: identity.identity_uuid,
    return_url: `${origin()}/`,
    lang: 'en',
  });
  return session.token;
}

async function callApi(path, body) {
  const response = await fetch(`${DOCFETCH_URL}${path}`, {
    method: 'POST',
    headers: { 'X-API-KEY': API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, code, detail, request_id } = await response.json();
  if (!response.ok) throw new Error(`${path} answers ${code}: ${detail} (${request_id})`);
  return data;
}

/**
 * Returns the parameters of the address; throws when the signature does not prove them. `url` is the whole address that the
 * browser requested, with the public scheme and host of your server.
 */
function verifyReturnUrl(url, secrets, { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS } = {}) {
  const address = url.split('#')[0];
  const [signed, signature, ...more] = address.split('&sig=');
  const query = new URL(address).searchParams;
  if (more.length > 0 || query.getAll('sig').length !== 1 || !/^[\w-]{43}$/.test(signature ?? '')) {
    throw new Error('The address is not signed, or something was added to it.');
  }
  const matching = [secrets].flat().filter((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    if (key.length === 0) throw new TypeError('The signing secret is empty.');
    const expected = createHmac('sha256', key).update(`v1.${signed}`).digest('base64url');
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
  });
  if (matching.length === 0) throw new Error('The signature does not match.');
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) throw new Error('A parameter is repeated.');
  const age = now.getTime() / 1000 - Number(query.get('ts') || NaN);
  if (!(Math.abs(age) <= toleranceSeconds)) throw new Error('The address is too old, or the clocks differ.');
  return Object.fromEntries(PARAMETERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
}

function sendText(response, type, text) {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

const origin = () => `http://localhost:${server.address().port}`;

server.listen(Number(PORT), 'localhost', () => console.log(`Listening on ${origin()}/`));
server.on('error', (error) => {
  console.error(`Cannot listen on port ${PORT}: ${error.message}`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => process.exit(0)));
