import { Agent, request } from 'undici';

/** So many bodies of so many bytes, so many at the same time. */
export interface Load {
  readonly url: string;
  readonly count: number;
  readonly bytes: number;
  readonly atOnce: number;
}

// Bare undici: the same body from memory again and again, with keep-alive, to an endpoint that answers 200.

async function send({ url, count, bytes, atOnce }: Load): Promise<number> {
  const dispatcher = new Agent({ connections: atOnce, pipelining: 1 });
  const body = Buffer.alloc(bytes, 'x');
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
  const began = performance.now();
  let sent = 0;
  const lane = async () => {
    while (sent++ < count) {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const ms = performance.now() - began;
  await dispatcher.close();
  return ms;
}

process.on('message', (load: Load) => void send(load).then((ms) => process.send!({ ms })));
process.send!('ready');
