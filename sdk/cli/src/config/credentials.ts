import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import type { Messages } from '../messages/en';
import { configFolder } from './config-folder';
import { OwnerOnlyFile } from './owner-only-file';

export interface Credentials {
  readonly url: string;
  readonly api_key: string;
}

export const DEFAULT_URL = 'http://localhost:3000';
const API_KEY = /^df_(live|test)_[\w-]{43}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

export const credentialsFile = (context: Context): OwnerOnlyFile<Credentials> =>
  new OwnerOnlyFile<Credentials>(configFolder(context), 'credentials.json');

/**
 * `DOCFETCH_URL` and `DOCFETCH_API_KEY`, or what `login` has stored. A stored key is sent only to the service that it was stored
 * for.
 * @throws CommandError
 */
export function loadCredentials(context: Context, messages: Messages): Credentials {
  const { DOCFETCH_URL: url, DOCFETCH_API_KEY: key } = context.env;
  const stored = credentialsFile(context).read();
  if (key) {
    const base = serviceUrl(url || stored?.url || DEFAULT_URL, context.env, messages);
    return { url: base, api_key: apiKey(key, messages) };
  }
  if (!stored?.url || !stored.api_key) throw new CommandError(messages.notLoggedIn, 'NOT_LOGGED_IN', EXIT.NOT_ALLOWED);
  if (url && serviceUrl(url, context.env, messages) !== stored.url)
    throw new CommandError(messages.keyOfOtherService(stored.url), 'NOT_LOGGED_IN', EXIT.NOT_ALLOWED);
  return { url: stored.url, api_key: stored.api_key };
}

/** @throws CommandError when it is no API key; the message does not contain it */
export function apiKey(text: string, messages: Messages): string {
  if (!API_KEY.test(text)) throw new CommandError(messages.notAnApiKey, 'INVALID_API_KEY');
  return text;
}

/**
 * The base URL of a service, in one form.
 * @throws CommandError when it is no URL, or would send the key without encryption to another machine
 */
export function serviceUrl(text: string, env: NodeJS.ProcessEnv, messages: Messages): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CommandError(messages.notAUrl, 'INVALID_URL');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new CommandError(messages.notAUrl, 'INVALID_URL');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && env.DOCFETCH_ALLOW_HTTP !== '1')
    throw new CommandError(messages.httpsRequired(url.origin), 'HTTPS_REQUIRED');
  return url.href.replace(/\/+$/, '');
}
