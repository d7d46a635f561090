/** How long the history of an environment is kept (decisions 4): 30, 90 or 400 days. */
export const RETENTION_CLASSES = ['SHORT', 'STANDARD', 'LONG'] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];

/** Days for which rows of a class are kept at least. */
export const RETENTION_DAYS: Readonly<Record<RetentionClass, number>> = { SHORT: 30, STANDARD: 90, LONG: 400 };

/**
 * Days per partition, which is dropped when its last row has expired: rows are kept for up to this much longer. More
 * partitions would cost reads of a history that covers all of them.
 */
export const PARTITION_DAYS: Readonly<Record<RetentionClass, number>> = { SHORT: 10, STANDARD: 30, LONG: 50 };
