import { createDocfetch, type Docfetch } from '../../typescript/dist/index.js';
import { loadCredentials } from './config/credentials';
import type { Context } from './context';
import type { Language } from './messages/language';
import type { Messages } from './messages/en';
import type { Output } from './output/output';

/** What every command works with. */
export interface Setup {
  readonly context: Context;
  readonly language: Language;
  readonly messages: Messages;
  readonly output: Output;
}

export interface Session {
  readonly client: Docfetch;
  readonly url: string;
}

/** A client of the service with the API key. @throws CommandError when there is no key */
export function openSession({ context, messages, language }: Setup): Session {
  const { url, api_key: apiKey } = loadCredentials(context, messages);
  return { url, client: createDocfetch({ baseUrl: url, apiKey, lang: language }) };
}
