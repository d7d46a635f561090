import type { Settings } from '../../../src/platform/config/settings';
import type { FilledSource } from './killed-workers';

/** The settings of all providers of these sources. */
export const settingsOf = (sources: readonly FilledSource[]): Settings['providers'] =>
  Object.assign({}, ...sources.map(({ providers }) => providers)) as Settings['providers'];

/** The same settings as environment variables. */
export function variablesOf(providers: Settings['providers']): Record<string, string> {
  const all = Object.entries(providers).flatMap(([id, { client, oauthBaseUrl, apiBaseUrl }]) => {
    const name = id.toUpperCase();
    return [
      [`OAUTH_${name}_CLIENT_ID`, client?.id],
      [`OAUTH_${name}_CLIENT_SECRET`, client?.secret],
      [`OAUTH_${name}_BASE_URL`, oauthBaseUrl],
      [`API_${name}_BASE_URL`, apiBaseUrl],
    ];
  });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
