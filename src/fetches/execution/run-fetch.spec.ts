import { Logger } from '@nestjs/common';
import { KmsUnavailable } from '../../platform/availability/kms-unavailable';
import { StorageUnavailable } from '../../platform/availability/storage-unavailable';
import type { LoadedFetch } from './reading/load-fetches';
import { RunFetch } from './run-fetch';

const FETCH = { claim: { uuid: 'f', connectionUuid: 'c', interruptions: 0 }, connection: { status: 'ACTIVE' } };

/** Runs a fetch that `error` ends; returns what became of it. */
async function outcomeOf(error: Error): Promise<string[]> {
  const outcome: string[] = [];
  const note = (what: string) => () => Promise.resolve(void outcome.push(what));
  const lease = { signal: new AbortController().signal, release: note('released'), [Symbol.dispose]: () => undefined };
  const run = new RunFetch(
    { hold: () => lease } as never,
    { storagePauseMs: 0 } as never,
    { execute: () => Promise.reject(error) } as never,
    { announce: (execution: Promise<unknown>) => execution } as never,
    { failed: note('failed'), succeeded: note('succeeded') } as never,
  );
  await run.run(FETCH as LoadedFetch, new AbortController().signal);
  return outcome;
}

describe('A running fetch', () => {
  beforeEach(() => {
    for (const level of ['error', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockReturnValue();
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['a KMS', new KmsUnavailable('k1', 'AWS KMS: ThrottlingException', true)],
    ['a KMS that refuses', new KmsUnavailable('k1', 'AWS KMS: AccessDeniedException', false)],
    ['the bucket', new StorageUnavailable('the bucket "b" cannot be used: 503', true)],
  ])('is queued again when %s is unavailable', async (_, error) => {
    expect(await outcomeOf(error)).toEqual(['released']);
  });

  it('fails with the error of its source', async () => {
    expect(await outcomeOf(new Error('the source answered nonsense'))).toEqual(['failed']);
  });
});
