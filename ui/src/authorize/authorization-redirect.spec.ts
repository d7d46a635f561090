import type { Connection } from '@docfetch/sdk';
import { redirectAfterAuthorization } from './authorization-redirect';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const connection = (more: Partial<Connection>) =>
  ({
    ...{ uuid: 'u', setup_complete: true, last_success_at: null, created_at: '2026-11-20T11:50:00Z' },
    ...more,
  }) as Connection;

describe('where it goes on after an authorisation', () => {
  it.each<[string, Partial<Connection>, object]>([
    [
      'a new one, to the second step',
      { setup_complete: false },
      { view: 'content', action: 'created', unfinished: true },
    ],
    ['a new one without a second step, to its first fetch', {}, { view: 'done', action: 'created', unfinished: false }],
    [
      'a migrated one, to its first fetch',
      { created_at: '2026-11-19T12:00:00Z' },
      { view: 'done', action: 'updated', unfinished: false },
    ],
    [
      'one that has worked, to what it is',
      { last_success_at: '2026-11-19T12:00:00Z' },
      { view: 'connection', action: 'updated', unfinished: false, recovered: true },
    ],
  ])('%s', (_, more, { view, ...expected }: { view?: string }) => {
    expect(redirectAfterAuthorization(connection(more), NOW)).toMatchObject({
      route: { view, uuid: 'u' },
      ...expected,
    });
  });
});
