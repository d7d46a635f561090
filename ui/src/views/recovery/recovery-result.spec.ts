import type { Connection, Fetch } from '@docfetch/sdk';
import { findRecoveryFetch, recoveryResult } from './recovery-result';

const REPAIRED_AT = '2026-11-20T12:00:00.000Z';
const fetch = (started: string | null, more: Partial<Fetch> = {}) =>
  ({ started_at: started && `2026-11-20T${started}Z`, finished_at: null, error: null, ...more }) as Fetch;
const FINISHED = { finished_at: '2026-11-20T12:00:10.000Z' };
const inStatus = (status: Connection['status']) => ({ status });

describe('findRecoveryFetch', () => {
  it('ignores fetches that were already running at the repair', () => {
    expect(findRecoveryFetch([fetch('11:59:59.999')], REPAIRED_AT)).toBeNull();
    expect(findRecoveryFetch([fetch(null), fetch('11:59:59.999')], REPAIRED_AT)).toBeNull();
  });

  it('finds the latest fetch that has started since', () => {
    const latest = fetch('12:05:00.000');
    expect(findRecoveryFetch([fetch(null), latest, fetch('12:00:01.000')], REPAIRED_AT)).toBe(latest);
    const atOnce = fetch('12:00:00.000');
    expect(findRecoveryFetch([atOnce], REPAIRED_AT)).toBe(atOnce);
  });
});

describe('recoveryResult', () => {
  it('is pending until a fetch has ended', () => {
    for (const running of [null, fetch('12:00:01.000')])
      expect(recoveryResult({ fetch: running, connection: inStatus('ACTIVE') })).toBe('PENDING');
  });

  it.each<[Partial<Fetch>, string]>([
    [{ status: 'SUCCEEDED' }, 'WORKS'],
    [{ status: 'PARTIAL' }, 'WORKS'],
    [{ status: 'PARTIAL', error: { code: 'LOGIN_REJECTED', message: '' } }, 'FAILED'],
    [{ status: 'FAILED', error: { code: 'LOGIN_REJECTED', message: '' } }, 'FAILED'],
    [{ status: 'CANCELLED', error: { code: 'CONNECTION_NOT_ACTIVE', message: '' } }, 'FAILED'],
  ])('of an ended fetch %j is %s', (more, expected) => {
    const ended = fetch('12:00:01.000', { ...FINISHED, ...more });
    expect(recoveryResult({ fetch: ended, connection: inStatus('ACTIVE') })).toBe(expected);
  });

  it('is stopped if the connection is no longer active', () => {
    expect(recoveryResult({ fetch: null, connection: inStatus('DISABLED') })).toBe('STOPPED');
    const cancelled = fetch('12:00:01.000', { ...FINISHED, status: 'CANCELLED' });
    expect(recoveryResult({ fetch: cancelled, connection: inStatus('DISABLED') })).toBe('STOPPED');
  });
});
