import { getEventListeners, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { abortable, withGrace, withTimeout } from './cancellation';

const [SUSPENDED, ANSWERED] = [0, 1] as const;
/** A server in a thread of its own, which answers when the other thread is suspended. */
const ANSWERING = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const state = new Int32Array(new SharedArrayBuffer(8));
  const server = createServer((socket) => {
    socket.once('data', () => {
      parentPort.postMessage(state.buffer);
      Atomics.wait(state, ${SUSPENDED}, 0);
      socket.end('an answer', () => {
        Atomics.store(state, ${ANSWERED}, 1);
        Atomics.notify(state, ${ANSWERED});
      });
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

const never = new Promise<never>(() => undefined);
const timedOut = () => new Error('too late');

describe('Abortable work', () => {
  it('has the result of the work, or its error', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('rejects with the reason of the signal, also when it was aborted before', async () => {
    const controller = new AbortController();
    const work = abortable(never, controller.signal);
    controller.abort(new Error('stop'));
    await expect(work).rejects.toThrow('stop');
    await expect(abortable(never, controller.signal)).rejects.toThrow('stop');
  });

  it('rejects with the reason instead of the error that the abort causes', async () => {
    const controller = new AbortController();
    const work = once(controller.signal, 'abort').then(() => Promise.reject(new Error('socket closed')));
    const outcome = abortable(work, controller.signal);
    controller.abort(new Error('stop'));
    await expect(outcome).rejects.toThrow('stop');
  });
});

describe('Work with a timeout', () => {
  it('has the result of the work when it ends in time', async () => {
    await expect(withTimeout(60_000, timedOut, () => Promise.resolve(1))).resolves.toBe(1);
    await expect(withTimeout(60_000, timedOut, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('is notified by its signal, and rejects even if it ignores the signal', async () => {
    let received: AbortSignal | undefined;
    const outcome = withTimeout(1, timedOut, (signal) => ((received = signal), never));
    await expect(outcome).rejects.toThrow('too late');
    expect(received!.reason).toEqual(timedOut());
  });

  it('ends with the reason of the outer signal, and does not start after it', async () => {
    const controller = new AbortController();
    const outcome = withTimeout(60_000, timedOut, () => never, controller.signal);
    controller.abort(new Error('stop'));
    await expect(outcome).rejects.toThrow('stop');
    const work = jest.fn();
    await expect(withTimeout(60_000, timedOut, work, controller.signal)).rejects.toThrow('stop');
    expect(work).not.toHaveBeenCalled();
  });
});

describe('Work with a grace period', () => {
  it('has the result that arrived while the process was suspended beyond the period', async () => {
    const answering = new Worker(ANSWERING, { eval: true });
    const [port] = (await once(answering, 'message')) as [number];
    const socket = connect(port, '127.0.0.1');
    const controller = new AbortController();
    const work = withGrace(controller.signal, 1, (cut) => abortable(once(socket, 'data'), cut));
    socket.write('a request');
    const [shared] = (await once(answering, 'message')) as [SharedArrayBuffer];
    controller.abort(new Error('stop'));
    // As in a suspended process, nothing runs here until the answer has been sent.
    const state = new Int32Array(shared);
    Atomics.store(state, SUSPENDED, 1);
    Atomics.notify(state, SUSPENDED);
    Atomics.wait(state, ANSWERED, 0);
    expect(String(await work)).toBe('an answer');
    await answering.terminate();
  });

  it.each(['before', 'after'])('is cut off after the period when the signal is aborted %s the start', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort(new Error('stop'));
    const cut = withGrace(controller.signal, 1, async (signal) => {
      if (when === 'after') controller.abort(new Error('stop'));
      await nextTurn();
      if (!signal.aborted) await once(signal, 'abort');
      return signal.reason as Error;
    });
    expect((await cut).message).toBe('stop');
  });

  it('is not cut off when it ends within the period', async () => {
    const controller = new AbortController();
    const cut = withGrace(controller.signal, 60_000, (signal) => {
      controller.abort(new Error('stop'));
      return Promise.resolve(signal);
    });
    expect((await cut).aborted).toBe(false);
  });
});
