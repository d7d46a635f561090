import type { Json, SourceDocument } from '../../../core/source-document';

/** Where an attachment is; `mimeType` is what it is delivered as. */
export type AttachmentLocator = { readonly mimeType: string; readonly [key: string]: Json };

/** How a mailbox finds attachments. */
export interface Attachments<Locator> {
  /** Reads a stored locator. @throws UnexpectedResponse when it is not one of its own */
  locatorOf(stored: Json): Locator;
  /** The same for every document in the same attachment. */
  keyOf(locator: Locator): string;
  /** Bytes of the whole attachment at most, where its place tells; 0 where it does not. */
  sizeOf?(locator: Locator): number;
  /** Opens a whole attachment. */
  open(locator: Locator): Promise<SourceDocument>;
}
