import { Pool } from 'undici';
import type { Usage } from '../harness/processes/usage';

/** Requests that wait for an answer at the same time. */
const CONCURRENCY = 50;

export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: number;
}

/** How fast it went: a second of wall time, and a second of the server's processor time. */
export interface LoadRate {
  readonly aSecond: number;
  readonly aCpuSecond: number;
}

/** Asks as fast as answers come, `count` times in all. Rejects at the first answer that is not the expected one. */
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
