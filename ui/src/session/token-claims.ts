import type { Lang } from '../messages/date-format';

/** Unverified claims of the token. Only the service verifies the token: use them for preloading, never for decisions. */
export interface TokenClaims {
  readonly return_url?: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly lang?: Lang;
}

/** Claims that cannot be read are none. */
export function claimsOf(token: string | null): TokenClaims {
  try {
    const payload = token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims | null) ?? {};
  } catch {
    return {};
  }
}
