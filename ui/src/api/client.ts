import { createDocfetch, type Docfetch } from '@docfetch/sdk';
import type { Lang } from '../words/moments';

let made: { readonly token: string; readonly lang: Lang; readonly client: Docfetch } | null = null;

/** The client of a session in a language: the same for all who ask, so that they share what it has been told. */
export function clientFor(token: string, lang: Lang): Docfetch {
  if (made?.token !== token || made.lang !== lang) {
    const options = { baseUrl: location.origin, token, lang, maxRetryWaitMs: 5_000, timeoutMs: 30_000 };
    made = { token, lang, client: createDocfetch(options) };
  }
  return made.client;
}
