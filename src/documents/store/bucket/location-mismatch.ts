import { StorageUnavailable } from '../../../platform/availability/storage-unavailable';

/** Another process with different settings has stored the document in a location that this process does not use. */
export const locationMismatch = (location: string): StorageUnavailable =>
  new StorageUnavailable(
    `a document is stored in the bucket and prefix "${location}", which differs from STORAGE_URL`,
    false,
  );
