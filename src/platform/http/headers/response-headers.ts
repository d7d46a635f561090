import type { Request, Response } from 'express';
import { LANGUAGE_HEADERS, languageOf } from '../../i18n/lang';

/** decisions 1: the request headers that a response to credentials depends on. */
export const VARY = `X-API-KEY, X-TOKEN, ${LANGUAGE_HEADERS}`;
/** RFC 9110 11.6.1: the two ways to authenticate (spec 5), named by the header that carries each. */
export const CHALLENGES = 'ApiKey realm="docfetch", header="X-API-KEY", UiToken realm="docfetch", header="X-TOKEN"';

/** JSON may be compressed. */
const CODING = 'Accept-Encoding';
const WITH_CREDENTIALS = `${VARY}, ${CODING}`;

const CREDENTIALS = ['x-api-key', 'x-token', 'x-csrf-token'];
/** The name of the cookie is in `auth`, which comes after this module. */
const CONSOLE_COOKIE = /docfetch_console=/;
/** The browser sends the cookie with every request to the service, also for pages and their files, which do not depend on it. */
const API = '/v1/';

/** Sets the caching and language headers of responses to requests with credentials (decisions 1). */
export function setResponseHeaders(request: Request, response: Response): void {
  const { headers } = request;
  const hasCredentials = CREDENTIALS.some((name) => headers[name] !== undefined);
  const hasSession = request.path.startsWith(API) && CONSOLE_COOKIE.test(headers.cookie ?? '');
  if (!hasCredentials && !hasSession) {
    response.setHeader('Vary', CODING);
    return;
  }
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Vary', WITH_CREDENTIALS);
  response.setHeader('Content-Language', languageOf(request));
}
