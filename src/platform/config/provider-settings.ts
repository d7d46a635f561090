import { apiAddress, origin } from './setting-parsers';

/** The settings of one integration (decisions 8). */
export interface ProviderSettings {
  /** The OAuth client that was registered with the provider: `OAUTH_<INTEGRATION>_CLIENT_ID` and `…_CLIENT_SECRET`. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** Another host for authorization and tokens: `OAUTH_<INTEGRATION>_BASE_URL`. */
  readonly oauthBaseUrl?: string;
  /** Another host for the API, or with `imaps` another mail server: `API_<INTEGRATION>_BASE_URL`. */
  readonly apiBaseUrl?: string;
}

/** What `docs/operate/settings.md` says about the settings of a provider. */
export const PROVIDER_SETTINGS = [
  {
    variables: ['OAUTH_<INTEGRATION>_CLIENT_ID', 'OAUTH_<INTEGRATION>_CLIENT_SECRET'],
    default: '',
    description:
      'the OAuth client of a provider, for example `OAUTH_GOOGLE_DRIVE_CLIENT_ID`; without it the integration is not available. See [oauth-clients.md](oauth-clients.md)',
  },
  {
    variables: ['OAUTH_<INTEGRATION>_BASE_URL', 'API_<INTEGRATION>_BASE_URL'],
    default: "the provider's",
    description:
      'other hosts for a provider: sovereign clouds, test servers. For mailboxes by IMAP that users authorize, `API_<INTEGRATION>_BASE_URL` is `imaps://host:port`',
  },
] as const;

/**
 * Reads the settings whose names contain an integration's id in upper case, and adds their errors to `problems`. The list of
 * integrations is not known here. Error texts contain no secrets.
 */
export function readProviders(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Readonly<Record<string, ProviderSettings>> {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const address = (name: string, parse: (text: string) => string): string | undefined => {
    const text = given(name);
    try {
      return text === undefined ? undefined : parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return undefined;
    }
  };
  const names = Object.keys(env).flatMap(
    (name) =>
      /^(?:OAUTH_([A-Z0-9_]+)_(?:CLIENT_ID|CLIENT_SECRET|BASE_URL)|API_([A-Z0-9_]+)_BASE_URL)$/.exec(name)?.slice(1) ??
      [],
  );
  const providers: Record<string, ProviderSettings> = {};
  for (const name of new Set(names.filter((part) => part !== undefined))) {
    const id = given(`OAUTH_${name}_CLIENT_ID`);
    const secret = given(`OAUTH_${name}_CLIENT_SECRET`);
    if (id && !secret) problems.push(`OAUTH_${name}_CLIENT_SECRET is required with OAUTH_${name}_CLIENT_ID`);
    if (secret && !id) problems.push(`OAUTH_${name}_CLIENT_ID is required with OAUTH_${name}_CLIENT_SECRET`);
    const oauthBaseUrl = address(`OAUTH_${name}_BASE_URL`, origin);
    const apiBaseUrl = address(`API_${name}_BASE_URL`, apiAddress);
    providers[name.toLowerCase()] = {
      ...(id && secret && { client: { id, secret } }),
      ...(oauthBaseUrl && { oauthBaseUrl }),
      ...(apiBaseUrl && { apiBaseUrl }),
    };
  }
  return providers;
}
