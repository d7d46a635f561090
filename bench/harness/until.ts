import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;

/** Polls until the result is not undefined, and returns it. Rejects after `limitMs`. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, limitMs = 300_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await pause(POLL_MS);
  }
}
