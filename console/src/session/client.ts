import { createDocfetch, type Docfetch } from '@docfetch/sdk';
import type { Lang } from '../../../ui/src/messages/date-format';
import type { ConsoleSession } from './console-session';

const SAFE_METHODS = ['GET', 'HEAD'];

/** A client for a session and an environment. Without a session, for signing in. */
export function clientFor(session: ConsoleSession | null, environment: string | null, lang: Lang): Docfetch {
  return createDocfetch({
    baseUrl: location.origin,
    lang,
    maxRetryWaitMs: 5_000,
    timeoutMs: 60_000,
    fetch: async (request, init) => {
      if (session) request.headers.set('X-CSRF-TOKEN', session.csrf_token);
      if (environment) request.headers.set('X-ENVIRONMENT', environment);
      // A browser would otherwise answer some reads from its cache after the user has gone back.
      return fetch(request, { ...init, cache: SAFE_METHODS.includes(request.method) ? 'no-store' : 'default' });
    },
  });
}
