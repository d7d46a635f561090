import { Pool } from 'undici';
import type { Usage } from '../harness/processes/usage';

/** The number of concurrent requests. */
const CONCURRENCY = 50;

export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: number;
}

/** Requests per second of wall time and per second of the server's CPU time. */
export interface LoadRate {
  readonly aSecond: number;
  readonly aCpuSecond: number;
}

/** Sends `count` requests as fast as responses arrive. Rejects at the first unexpected response. */
export async function load(usage: Usage, count: number, ask: (turn: number) => LoadRequest): Promise<LoadRate> {
  const { origin } = new URL(ask(0).url);
  await using pool = disposable(new Pool(origin, { connections: CONCURRENCY, pipelining: 1 }));
  let turn = 0;
  const worker = async () => {
    while (turn < count) {
      const { url, method, headers, expected } = ask(turn++);
      const { statusCode, body } = await pool.request({ path: url.slice(origin.length), method, headers });
      if (statusCode !== expected) throw new Error(`${method} ${url}: ${statusCode} ${await body.text()}`);
      await body.dump({ limit: Infinity });
    }
  };
  const [began, cpu] = [performance.now(), usage.cpu()];
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const [seconds, cpuSeconds] = [(performance.now() - began) / 1000, (usage.cpu() - cpu) / 1000];
  return { aSecond: count / seconds, aCpuSecond: count / cpuSeconds };
}

function disposable(pool: Pool): Pool & AsyncDisposable {
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}
