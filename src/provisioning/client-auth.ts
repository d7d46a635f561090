import type { ClientAuth } from '../identities/environment.entity';

/** Where to send, and what proves that it is us. Never log it: it holds the client's secret. */
export interface Target {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** spec 5 rule 6: a bearer token, a query parameter `token`, or a whole authorization header. */
export function authenticate(provisioningUrl: string, auth: ClientAuth, secret: string | null): Target {
  const url = new URL(provisioningUrl);
  switch (auth) {
    case 'NONE':
      return { url, headers: {} };
    case 'BEARER':
      return { url, headers: { authorization: `Bearer ${secret}` } };
    case 'HEADER':
      return { url, headers: { authorization: secret! } };
    case 'QUERY':
      url.searchParams.set('token', secret!);
      return { url, headers: {} };
  }
}
