import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A client's endpoint in a process of its own: reads what comes, throws it away and answers 200.

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
