/** A provisioning URL as it may be shown to anybody: without the query parameter `token`, which may be the client's secret (spec 5 rule 6). */
export function shownUrl(provisioningUrl: string): string {
  const url = new URL(provisioningUrl);
  if (!url.searchParams.has('token')) return provisioningUrl;
  url.searchParams.delete('token');
  return url.href;
}
