import { StorageIsAway } from '../../platform/availability/storage-is-away';

/** Another process has stored it where this one does not look: their settings differ, and the document is not to blame. */
export const elsewhere = (location: string): StorageIsAway =>
  new StorageIsAway(
    `a document lies in the bucket and prefix "${location}", which STORAGE_URL does not name here`,
    false,
  );
