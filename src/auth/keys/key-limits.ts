import { KEY_SCOPES, type KeyScope } from '../../platform/http/access/key-scope';
import { parseIpRange } from '../../platform/network/addresses/ip-ranges';

export const MAX_ALLOWED_IPS = 50;

/** What a key is limited to; null or empty for no limit. */
export interface KeyLimits {
  readonly scopes?: readonly KeyScope[] | null;
  /** Networks and addresses, as {@link parseIpRange} accepts them. */
  readonly allowedIps?: readonly string[] | null;
}

/** The columns of a key with these limits: in a fixed order, without repetitions, null for none. */
export function storedLimits({ scopes, allowedIps }: KeyLimits): {
  readonly scopes: KeyScope[] | null;
  readonly allowedIps: string[] | null;
} {
  const ranges = new Set((allowedIps ?? []).map((range) => parseIpRange(range)!));
  return {
    scopes: scopes && scopes.length > 0 ? KEY_SCOPES.filter((scope) => scopes.includes(scope)) : null,
    allowedIps: ranges.size > 0 ? [...ranges] : null,
  };
}
