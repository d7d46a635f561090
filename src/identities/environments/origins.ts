/** An origin in its normal form, such as a `return_url` may have; null for anything else. */
export function parseOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.pathname !== '/' || url.search || url.hash) {
    return null;
  }
  return url.origin;
}

/** An origin that cannot be spoofed on the network, https or http on this machine; null for anything else. */
export function parseSecureOrigin(text: string): string | null {
  const origin = parseOrigin(text);
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  // It becomes part of a content security policy, in which `*` and `;` are special characters.
  const isSecure = (protocol === 'https:' || hostname === 'localhost') && /^[a-z0-9.-]+$/.test(hostname);
  return isSecure ? origin : null;
}
