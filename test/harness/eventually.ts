const POLL_MS = 25;

/** Polls a condition: resolves with the first truthy result, rejects with the last result at the time limit. */
export async function eventually<T>(
  ask: () => Promise<T | false | null | undefined>,
  what: string,
  timeoutMs = 40_000,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > until) throw new Error(`It did not come to pass within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
