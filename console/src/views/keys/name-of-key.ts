import type { ApiKey } from '@docfetch/sdk';

/** `df_live_…x3Zq`: the part of a key that may be shown. */
export const nameOfKey = ({ prefix, last_four: lastFour }: ApiKey): string => `${prefix}…${lastFour}`;
