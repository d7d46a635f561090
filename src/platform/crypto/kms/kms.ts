/** One key in a key management service, which never gives it away. */
export interface Kms {
  /**
   * Encrypts a data key. `context` is authenticated: it can be decrypted only with the same one.
   * @throws KmsUnavailable
   */
  wrap(dataKey: Buffer, context: string): Promise<Buffer>;
  /** @throws KmsUnavailable; Error when the key has not encrypted these bytes with this context */
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>;
}

/** The timeout of one request. A retry follows for transient errors. */
export const KMS_REQUEST_MS = 5_000;

/** Wrapped bytes that the key of this id has not made. */
export const notWrappedBy = (keyId: string, cause?: unknown): Error =>
  new Error(`The key "${keyId}" of ENCRYPTION_KEYS has not wrapped this data key.`, { cause });
