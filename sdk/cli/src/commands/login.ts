import { createDocfetch, getEnvironment } from '../../../typescript/dist/index.js';
import { apiKey, credentialsFile, DEFAULT_URL, serviceUrl } from '../config/credentials';
import { CommandError, EXIT } from '../failure';
import type { Setup } from '../session';
import { readSecret } from './read-secret';

/** Stores an API key after the service has accepted it. The key is never an argument: other users could see it. */
export async function login(setup: Setup, options: { readonly url?: string }): Promise<void> {
  const { context, messages, output, language } = setup;
  const { env } = context;
  const url = serviceUrl(options.url ?? (env.DOCFETCH_URL || DEFAULT_URL), env, messages);
  const typed = env.DOCFETCH_API_KEY || (await readSecret(context, messages.apiKeyPrompt(url)));
  if (typed === null) throw new CommandError(messages.interrupted, 'INTERRUPTED', EXIT.INTERRUPTED);
  const key = apiKey(typed, messages);
  const client = createDocfetch({ baseUrl: url, apiKey: key, lang: language });
  const { data } = await getEnvironment({ client, signal: context.signal });
  const file = credentialsFile(context);
  file.write({ url, api_key: key });
  const { environment_uuid, client_name, name, kind, api_key } = data;
  output.print({ url, environment_uuid, client_name, name, kind, api_key, stored_in: file.folder }, [
    messages.loggedIn(url, `${client_name}, ${name} (${kind})`, `${api_key.prefix}…${api_key.last_four}`),
    messages.storedIn(file.folder),
  ]);
}

/** Removes the stored API key. */
export function logout({ context, messages, output }: Setup): void {
  const removed = credentialsFile(context).remove();
  output.print({ removed }, [removed ? messages.loggedOut : messages.nothingStored]);
}
