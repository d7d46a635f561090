import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A collector of traces as a process of its own: it reads what is exported and answers 200.

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
