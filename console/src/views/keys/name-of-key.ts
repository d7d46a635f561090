import type { ApiKey } from '@docfetch/sdk';

/** `df_live_…x3Zq`: what of a key may be shown. */
export const nameOfKey = ({ prefix, last_four: lastFour }: ApiKey): string => `${prefix}…${lastFour}`;
