/**
 * A successor decrypts for this long before it encrypts: until then, every process that has read the data key before it existed has
 * finished what it was doing, or reads the key again.
 */
export const ACTIVATE_AFTER_SECONDS = 600;

/**
 * A former version is kept at least this long. Stored responses and fingerprints of idempotency keys end after a day, and so do the
 * references of the hosted UI; an hour more is for requests and fetches that have read the former version before.
 */
export const KEEP_FORMER_SECONDS = 25 * 3600;

/** Between two attempts to complete a replacement. */
export const RETRY_SECONDS = 60;
