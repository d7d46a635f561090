import type { ClientAuth } from '../../identities/environments/setting-values';
import { redactUrl } from '../../identities/environments/redact-url';

/** The URL of a request and the headers that authenticate us. Never log it: it contains the client's secret. */
export interface PushTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Removes the client's secret from a response: some echo the address or the headers of the request. */
export function redactSecret(response: string, { url, headers }: PushTarget): string {
  const token = url.searchParams.get('token');
  const { authorization } = headers;
  const forms = [
    ...(token
      ? [token, encodeURIComponent(token), new URLSearchParams({ token }).toString().slice('token='.length)]
      : []),
    ...(authorization ? [authorization, authorization.slice(authorization.indexOf(' ') + 1)] : []),
  ];
  return forms.reduce((text, form) => (form ? text.replaceAll(form, '***') : text), response);
}

/** spec 5 rule 6: a bearer token, a query parameter `token`, or a whole authorization header. */
export function authenticatedTarget(provisioningUrl: string, auth: ClientAuth, secret: string | null): PushTarget {
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

/** The same with `***` in place of the client's secret, to be shown. */
export const maskedTarget = (provisioningUrl: string, auth: ClientAuth): PushTarget =>
  authenticatedTarget(redactUrl(provisioningUrl), auth, '***');
