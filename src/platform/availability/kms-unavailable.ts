/** The key management service of a key of `ENCRYPTION_KEYS` cannot be used. The message gives the reason and contains no secret. */
export class KmsUnavailable extends Error {
  constructor(
    keyId: string,
    reason: string,
    /** True when a retry may succeed; false when settings, permissions or the key itself have to be changed. */
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(`the key "${keyId}" of ENCRYPTION_KEYS cannot be used: ${reason}`, options);
    this.name = 'KmsUnavailable';
  }
}
