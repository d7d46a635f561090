import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Clients' endpoints in a separate process. Before it answers 200 it does the same as `docs/examples/push-receiver.mjs`: it
// reads the whole body, verifies its signature and parses it, but does not write it to the disk.

/** The signing secrets by path, or the folder for received bodies; null stores none. */
export type Order = { readonly path: string; readonly secret: string } | { readonly keep: string | null };

const TOLERANCE_SECONDS = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const keys = new Map<string, Buffer>();
let keepIn: string | null = null;

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function isSigned(headers: IncomingHttpHeaders, key: Buffer, body: Buffer): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures!.split(' ').filter((signature) => same(signature, `v1,${expected}`)).length > 0;
}

function same(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

async function receive(request: IncomingMessage): Promise<number> {
  const key = keys.get(request.url!);
  if (!key) return 404;
  const body = await read(request);
  if (!isSigned(request.headers, key, body)) return 401;
  const { transaction_uuid: uuid } = JSON.parse(body.toString('utf8')) as { transaction_uuid: string };
  if (!UUID.test(uuid)) return 400;
  if (keepIn) await writeFile(join(keepIn, `${uuid}.json`), body);
  return 200;
}

const server = createServer((request, response) => {
  void receive(request).then((status) => {
    if (status !== 200) process.stderr.write(`The receiver has answered ${status}.\n`);
    response.writeHead(status).end();
  });
});
process.on('message', (order: Order) => {
  if ('keep' in order) keepIn = order.keep;
  else keys.set(order.path, Buffer.from(order.secret.replace('whsec_', ''), 'base64'));
  process.send!('done');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
