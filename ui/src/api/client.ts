import { createDocfetch, type Docfetch } from '@docfetch/sdk';
import type { Lang } from '../messages/date-format';

let cached: { readonly token: string; readonly lang: Lang; readonly client: Docfetch } | null = null;

/** The client of a session in a language. It is cached, because the caches of `integrations.ts` are keyed by client. */
export function clientFor(token: string, lang: Lang): Docfetch {
  if (cached?.token !== token || cached.lang !== lang) {
    const options = { baseUrl: location.origin, token, lang, maxRetryWaitMs: 5_000, timeoutMs: 30_000 };
    cached = { token, lang, client: createDocfetch(options) };
  }
  return cached.client;
}
