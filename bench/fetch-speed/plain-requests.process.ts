import { Agent } from 'undici';

/** The requested documents. */
interface Task {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly authorization: string;
}

const AT_ONCE = 4;

/** The minimum: bytes are read and discarded. Returns the duration in milliseconds. */
async function get({ origin, paths, authorization }: Task): Promise<number> {
  const agent = new Agent({ connections: AT_ONCE });
  const began = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < paths.length) {
      const { statusCode, body } = await agent.request({
        origin,
        path: paths[next++]!,
        method: 'GET',
        headers: { authorization },
      });
      if (statusCode !== 200) throw new Error(`Status ${statusCode}.`);
      for await (const _ of body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const ms = performance.now() - began;
  await agent.close();
  return ms;
}

process.on('message', (task: Task) => void get(task).then((ms) => process.send!({ ms })));
