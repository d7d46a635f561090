import { setImmediate as turn } from 'node:timers/promises';
import { BufferPool } from '../../platform/buffers/buffer-pool';
import { WriteQueue } from './write-queue';

it('limits concurrent writes, and starts the next one when one has succeeded or failed', async () => {
  const queue = new WriteQueue(new BufferPool(16), 4);
  const begun: { memory: Buffer; end: () => void; fail: (error: Error) => void }[] = [];
  const write = () =>
    queue.write((memory) => new Promise<void>((end, fail) => void begun.push({ memory, end: () => end(), fail })));
  const writes = Array.from({ length: 6 }, write);
  await turn();
  expect(begun).toHaveLength(4);
  begun[1]!.end();
  await writes[1];
  await turn();
  expect(begun).toHaveLength(5);
  // The memory of a failed write may still be read, so it is not reused.
  expect(begun[4]!.memory.buffer).toBe(begun[1]!.memory.buffer);
  begun[0]!.fail(new Error('gone'));
  await expect(writes[0]).rejects.toThrow('gone');
  await turn();
  expect(begun).toHaveLength(6);
  expect(begun.slice(0, 5).map(({ memory }) => memory.buffer)).not.toContain(begun[5]!.memory.buffer);
  for (const { end } of begun) end();
  await Promise.all(writes.slice(1));
});
