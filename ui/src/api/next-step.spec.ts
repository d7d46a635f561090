import type { Connection } from '@docfetch/sdk';
import { displayStatus, isChanging } from './next-step';

type LastFetch = NonNullable<Connection['last_fetch']>;
const FETCH: LastFetch = { uuid: 'f', status: 'SUCCEEDED', finished_at: '2026-11-20T12:00:00.000Z', documents_new: 0 };
const connection = (more: Partial<Connection>) =>
  ({
    ...{ status: 'ACTIVE', health: 'OK', reason: null, last_fetch: FETCH, last_success_at: FETCH.finished_at },
    ...more,
  }) as Connection;
const failed: LastFetch = { ...FETCH, status: 'FAILED', finished_at: '2026-11-20T13:00:00.000Z' };

describe('displayStatus', () => {
  it('is good after a fetch has succeeded, and before the first one', () => {
    expect(displayStatus(connection({}))).toEqual({ label: 'ACTIVE', tone: 'good' });
    const fresh = connection({ health: 'UNKNOWN', last_fetch: null, last_success_at: null });
    expect(displayStatus(fresh)).toEqual({ label: 'ACTIVE', tone: 'good' });
  });

  it('is not good between a repair and the end of the fetch that follows', () => {
    for (const success of [FETCH.finished_at, null])
      expect(displayStatus(connection({ last_fetch: failed, last_success_at: success }))).toEqual({
        ...{ label: 'CHECKING', tone: 'off' },
      });
    const running: LastFetch = { ...FETCH, status: 'RUNNING', finished_at: null };
    expect(displayStatus(connection({ last_fetch: running }))).toEqual({ label: 'FETCHING', tone: 'off' });
  });

  it('is bad for an active connection that the user has to repair', () => {
    expect(displayStatus(connection({ health: 'ACTION_REQUIRED', last_fetch: failed }))).toEqual({
      ...{ label: 'ACTION_REQUIRED', tone: 'bad' },
    });
  });
});

describe('isChanging', () => {
  it('is true while a fetch runs or follows a repair', () => {
    expect(isChanging(connection({}))).toBe(false);
    expect(isChanging(connection({ last_fetch: null }))).toBe(false);
    expect(isChanging(connection({ last_fetch: { ...FETCH, finished_at: null } }))).toBe(true);
    expect(isChanging(connection({ last_fetch: failed }))).toBe(true);
    expect(isChanging(connection({ last_fetch: failed, status: 'DISABLED' }))).toBe(false);
  });
});
