import { ValidateBy } from 'class-validator';

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

/** A list of which every item is an origin by `parse`. */
const isOrigins = (name: string, parse: (text: string) => string | null) =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) =>
        !Array.isArray(value) || value.every((item) => typeof item === 'string' && parse(item) !== null),
    },
  });

export const IsOrigins = () => isOrigins('isOrigins', parseOrigin);
export const IsSecureOrigins = () => isOrigins('isSecureOrigins', parseSecureOrigin);
