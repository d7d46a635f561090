import { createDocfetch, type ConsoleSession, type Docfetch } from '@docfetch/sdk';
import type { Lang } from '../../../ui/src/messages/date-format';

/** A client for a session and, for the support team, an environment. Without a session, for signing in. */
export function clientFor(session: ConsoleSession | null, environment: string | null, lang: Lang): Docfetch {
  return createDocfetch({
    ...{ baseUrl: location.origin, lang, maxRetryWaitMs: 5_000, timeoutMs: 60_000 },
    ...(session && {
      session: { csrfToken: session.csrf_token, ...(environment && { environmentUuid: environment }) },
    }),
  });
}
