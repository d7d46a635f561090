/** Minutes between scheduled fetches (decisions 4). */
export const FETCH_INTERVAL = { default: 1440, min: 5, max: 525_600 } as const;

/** Hours for which a replaced signing secret continues to sign: at most 90 days. */
export const GRACE_HOURS = { default: 24, max: 2160 } as const;
