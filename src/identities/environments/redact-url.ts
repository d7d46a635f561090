/** Removes the query parameter `token` from a provisioning URL, because it may be the client's secret (spec 5 rule 6). */
export function redactUrl(provisioningUrl: string): string {
  const url = new URL(provisioningUrl);
  if (!url.searchParams.has('token')) return provisioningUrl;
  url.searchParams.delete('token');
  return url.href;
}
