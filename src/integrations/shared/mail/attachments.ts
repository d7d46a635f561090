import type { Json, SourceDocument } from '../../source-document';

/** Where an attachment is; `mimeType` is what it is delivered as. */
export type AttachmentLocator = { readonly mimeType: string; readonly [key: string]: Json };

/** How a mailbox finds attachments. */
export interface Attachments<Locator> {
  /** Reads a stored locator. @throws ContractBroken when it is not one of its own */
  locatorOf(stored: Json): Locator;
  /** The same for every document in the same attachment. */
  keyOf(locator: Locator): string;
  /** Opens a whole attachment. */
  open(locator: Locator): Promise<SourceDocument>;
}
