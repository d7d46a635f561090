import { databaseIsAway } from './database-is-away';

/** The bucket of `STORAGE_URL` cannot be used. Its message says why, without a secret. */
export class StorageIsAway extends Error {
  constructor(
    message: string,
    /** Whether it may work later without anybody's help; otherwise the settings, or the bucket's, are wrong. */
    readonly passes: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageIsAway';
  }
}

/** Whether an error says that something we keep data in is not there at the moment: no fault of whoever's data it is about. */
export function dataAreAway(error: unknown): boolean {
  return databaseIsAway(error) || error instanceof StorageIsAway;
}
