import type { Json, SourceDocument } from '../../../core/source-document';

/** Identifies an attachment; `mimeType` is the type that it is delivered as. */
export type AttachmentLocator = { readonly mimeType: string; readonly [key: string]: Json };

/** A mailbox's access to attachments. */
export interface Attachments<Locator> {
  /** Reads a stored locator. @throws UnexpectedResponse when it is invalid */
  locatorOf(stored: Json): Locator;
  /** A key that is the same for all documents of an attachment. */
  keyOf(locator: Locator): string;
  /** The maximum size of the attachment in bytes according to its locator; 0 when unknown. */
  sizeOf?(locator: Locator): number;
  /** Opens a whole attachment. */
  open(locator: Locator): Promise<SourceDocument>;
}
