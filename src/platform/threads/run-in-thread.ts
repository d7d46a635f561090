import { once } from 'node:events';
import type { ResourceLimits } from 'node:worker_threads';
import { withTimeout } from '../concurrency/cancellation';
import { startThread } from './start-thread';

export interface ThreadOptions {
  readonly name: string;
  readonly resourceLimits: ResourceLimits;
  readonly limitMs: number;
  readonly timedOut: () => Error;
}

/**
 * Starts a thread for one message and returns its answer. `entry` is the path of its module, without extension. For rare work: a
 * start takes tens of milliseconds.
 * @throws the error of the thread, or `timedOut()` after `limitMs`
 */
export async function runInThread<Answer>(
  entry: string,
  message: unknown,
  { name, resourceLimits, limitMs, timedOut }: ThreadOptions,
): Promise<Answer> {
  const thread = startThread(entry, name, resourceLimits);
  thread.on('error', () => undefined); // reported to the awaiting caller
  try {
    return await withTimeout(limitMs, timedOut, async (signal) => {
      const answered = once(thread, 'message', { signal });
      thread.postMessage(message);
      const [answer] = (await answered) as [Answer];
      return answer;
    });
  } finally {
    await thread.terminate();
  }
}
