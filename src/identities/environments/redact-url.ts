/**
 * A client's URL as it is shown: without the query parameter `token`, because it may be the client's secret (spec 5 rule 6).
 */
export function redactUrl(clientUrl: string): string {
  const url = new URL(clientUrl);
  if (!url.searchParams.has('token')) return clientUrl;
  url.searchParams.delete('token');
  return url.href;
}

/** The URL to store: the stored one when a client sends it back as it was shown. */
export const changedUrl = (stored: string, given: string): string => (given === redactUrl(stored) ? stored : given);
