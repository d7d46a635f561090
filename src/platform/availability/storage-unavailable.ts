import { KmsUnavailable } from './kms-unavailable';
import { isDatabaseUnavailable } from './database-unavailable';

/** The bucket of `STORAGE_URL` cannot be used. The message gives the reason and contains no secret. */
export class StorageUnavailable extends Error {
  constructor(
    message: string,
    /** True when a retry may succeed; false when the settings or the bucket's configuration have to be changed. */
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageUnavailable';
  }
}

/** Whether an error means that the database, the bucket or a KMS is unavailable, which is not a fault of the connection being processed. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || error instanceof StorageUnavailable || error instanceof KmsUnavailable;
}
