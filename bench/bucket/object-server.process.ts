import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A minimal bucket: stores objects in memory and checks no signature. */
async function main(): Promise<void> {
  const objects = new Map<string, Buffer>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, answer) => {
    const key = request.url!;
    if (request.method === 'PUT') {
      void buffer(request).then((bytes) => {
        objects.set(key, bytes);
        answer.end();
      });
      return;
    }
    if (request.method === 'DELETE') objects.clear();
    const bytes = objects.get(key);
    answer.writeHead(bytes ? 200 : 404, { 'content-length': bytes?.length ?? 0 }).end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send!((server.address() as AddressInfo).port);
}

void main();
