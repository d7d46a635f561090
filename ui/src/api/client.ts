import { createDocfetch, type Docfetch, type DocfetchOptions } from '@docfetch/sdk';
import type { Lang } from '../messages/date-format';
import { fetchEarly } from '../start/early-requests';

let cached: { readonly token: string; readonly lang: Lang; readonly client: Docfetch } | null = null;

let answer: NonNullable<DocfetchOptions['fetch']> = fetchEarly;

/** Answers all requests of the page by a function, for a preview without a session. */
export function answerRequests(by: typeof answer): void {
  answer = by;
}

/** The client of a session in a language. It is cached, because the caches of `integrations.ts` are keyed by client. */
export function clientFor(token: string, lang: Lang): Docfetch {
  if (cached?.token !== token || cached.lang !== lang) {
    const options = { baseUrl: location.origin, token, lang, maxRetryWaitMs: 5_000, timeoutMs: 30_000, fetch: answer };
    cached = { token, lang, client: createDocfetch(options) };
  }
  return cached.client;
}
