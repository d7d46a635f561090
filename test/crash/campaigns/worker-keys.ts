const key = (fill: number): string => `test:${Buffer.alloc(32, fill).toString('base64')}`;

/** Settings with the keys of `startApp`, so that a worker of its own can read what the API in the test's process has encrypted. */
export const WORKER_KEYS = { ENCRYPTION_KEYS: key(7), TOKEN_KEYS: key(9) };
