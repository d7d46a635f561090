/** The keys that sign requests to a bucket. */
export interface AccessKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Only temporary keys have one. */
  readonly sessionToken?: string;
}

/** Provides the keys for each request. */
export interface KeySource {
  /** @throws KeysUnavailable */
  get(): Promise<AccessKeys>;
  /** The bucket has refused these keys as expired. True when a new request may get other keys. */
  discard(keys: AccessKeys): boolean;
}

/** There are no access keys. The message gives the reason and contains no secret. */
export class KeysUnavailable extends Error {
  constructor(
    reason: string,
    /** True when a retry may succeed; false when permissions or the environment have to be changed. */
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'KeysUnavailable';
  }
}

/** Keys that never change. */
export const fixedKeys = (keys: AccessKeys): KeySource => ({
  get: () => Promise.resolve(keys),
  discard: () => false,
});
