/** The authorization of a provider, from the security schemes of its description. */

const KEY = { secret: true, label: { en: 'API key', de: 'API-Schlüssel' } };
const apiKey = (given) => ({ type: 'api_key', ...given, fields: { api_key: KEY } });

/** Adds what the description does not say to `unknown`. */
export function proposeAuth({ components = {} }, unknown) {
  const schemes = Object.values(components.securitySchemes ?? {});
  const flow = schemes.map(({ flows }) => flows?.authorizationCode).find((each) => each !== undefined);
  const key = schemes.find(({ type, in: place }) => type === 'apiKey' && place !== 'cookie');
  const http = (name) => schemes.some(({ type, scheme }) => type === 'http' && scheme?.toLowerCase() === name);
  if (http('bearer') || (!flow && !key && !http('basic'))) {
    if (!http('bearer')) unknown.push('How requests are authorized; a key in the header Authorization is a guess.');
    return apiKey({ headers: { authorization: 'Bearer {$api_key}' } });
  }
  if (key) {
    const place = key.in === 'query' ? 'query' : 'headers';
    return apiKey({ [place]: { [place === 'query' ? key.name : key.name.toLowerCase()]: '{$api_key}' } });
  }
  if (flow && /^https:/.test(flow.authorizationUrl) && /^https:/.test(flow.tokenUrl)) {
    unknown.push('Which scopes are enough to read documents, and whether the client authenticates by post or basic.');
    const scopes = Object.keys(flow.scopes ?? {}).filter((scope) => /read/i.test(scope));
    const plain = (url) => url.replace(/[?#].*$/, '').replace(/\/$/, '');
    return {
      type: 'oauth2',
      authorize: plain(flow.authorizationUrl),
      token: plain(flow.tokenUrl),
      client_auth: 'post',
      scopes,
    };
  }
  return {
    type: 'basic',
    user: '{$user}',
    password: '{$password}',
    fields: {
      user: { label: { en: 'User name', de: 'Benutzername' } },
      password: { secret: true, label: { en: 'Password', de: 'Passwort' } },
    },
  };
}
