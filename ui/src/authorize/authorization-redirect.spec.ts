import type { Connection } from '@docfetch/sdk';
import { redirectAfterAuthorization } from './authorization-redirect';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const connection = (more: Partial<Connection>) =>
  ({
    ...{ uuid: 'u', setup_complete: true, last_success_at: null, created_at: '2026-11-20T11:50:00Z' },
    ...more,
  }) as Connection;

describe('redirectAfterAuthorization', () => {
  it.each<[string, Partial<Connection>, object]>([
    [
      'leads a new connection to the second step',
      { setup_complete: false },
      { view: 'content', action: 'created', unfinished: true },
    ],
    [
      'leads a new connection without a second step to its first fetch',
      {},
      { view: 'done', action: 'created', unfinished: false },
    ],
    [
      'leads a migrated connection to its first fetch',
      { created_at: '2026-11-19T12:00:00Z' },
      { view: 'done', action: 'updated', unfinished: false },
    ],
    [
      'leads a connection that was fetched before to the fetch that catches up',
      { last_success_at: '2026-11-19T12:00:00Z' },
      { view: 'recovery', action: 'updated', unfinished: false },
    ],
  ])('%s', (_, more, { view, ...expected }: { view?: string }) => {
    expect(redirectAfterAuthorization(connection(more), NOW)).toMatchObject({
      route: { view, uuid: 'u' },
      ...expected,
    });
  });
});
