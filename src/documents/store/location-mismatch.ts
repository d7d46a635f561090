import { StorageUnavailable } from '../../platform/availability/storage-unavailable';

/** Another process has stored it where this one does not look: their settings differ, and the document is not to blame. */
export const locationMismatch = (location: string): StorageUnavailable =>
  new StorageUnavailable(
    `a document lies in the bucket and prefix "${location}", which STORAGE_URL does not name here`,
    false,
  );
