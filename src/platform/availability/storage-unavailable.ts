import { isDatabaseUnavailable } from './database-unavailable';

/** The bucket of `STORAGE_URL` cannot be used. Its message says why, without a secret. */
export class StorageUnavailable extends Error {
  constructor(
    message: string,
    /** Whether it may work later without anybody's help; otherwise the settings, or the bucket's, are wrong. */
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageUnavailable';
  }
}

/** Whether an error says that something we keep data in is not there at the moment: no fault of whoever's data it is about. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || error instanceof StorageUnavailable;
}
