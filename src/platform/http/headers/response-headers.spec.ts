import type { Request, Response } from 'express';
import { setResponseHeaders } from './response-headers';

const COOKIE = `__Host-docfetch_console=${'x'.repeat(43)}`;

function headersOf(path: string, headers: Record<string, string>): Record<string, string> {
  const set: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => (set[name] = value) };
  setResponseHeaders({ path, headers } as unknown as Request, response as unknown as Response);
  return set;
}

describe('The caching headers of responses (decisions 1)', () => {
  it.each([
    ['/v1/console/session', { cookie: COOKIE }],
    ['/v1/identities', { 'x-api-key': 'key' }],
    ['/token', { 'x-api-key': 'key' }],
    ['/v1/connections', { 'x-token': 'token' }],
  ])('forbid storing the response of %s to credentials', (path, headers) => {
    expect(headersOf(path, headers)).toMatchObject({ 'Cache-Control': 'private, no-store' });
  });

  it.each(['/console/assets/index-1a2b.js', '/ui/assets/index-1a2b.js', '/connect/v1.js', '/guides/', '/console/'])(
    'leave %s to its route, although the browser sends the cookie of the console there too',
    (path) => {
      expect(headersOf(path, { cookie: COOKIE })).toEqual({ Vary: 'Accept-Encoding' });
    },
  );
});
