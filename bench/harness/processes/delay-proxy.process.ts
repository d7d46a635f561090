import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

// Started with the port of a server and a delay in milliseconds; sends the port at which the server responds with this delay.

/** The bytes in transit in one direction before the sender has to wait: far more than a real connection has in one round trip. */
const MOST_BYTES = 32 * 1024 * 1024;

const [target, delayMs] = process.argv.slice(2).map(Number) as [number, number];

const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
  const server = connect({ host: '127.0.0.1', port: target, noDelay: true, allowHalfOpen: true });
  forward(client, server);
  forward(server, client);
});

/** Everything, including the end, arrives in order after the delay, independent of the amount of data. */
function forward(from: Socket, to: Socket): void {
  let underway = 0;
  from.on('data', (bytes) => {
    underway += bytes.length;
    if (underway > MOST_BYTES) from.pause();
    setTimeout(() => {
      if (to.destroyed) return;
      to.write(bytes, () => {
        underway -= bytes.length;
        if (from.isPaused() && underway <= MOST_BYTES) from.resume();
      });
    }, delayMs);
  });
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => undefined);
  from.on('close', () => setTimeout(() => to.destroySoon(), delayMs));
}

listener.listen(0, '127.0.0.1', () => process.send!({ port: (listener.address() as AddressInfo).port }));
