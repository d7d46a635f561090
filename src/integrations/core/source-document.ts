import type { Readable } from 'node:stream';
import type { DocumentType, Metadata } from '../../documents/metadata';

/** A value that survives JSON: cursors and locators are stored as such. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A document as the source's listing shows it, before its bytes are read. */
export interface DocumentRef {
  /**
   * Ours, never null, at most 255 characters: the same document always has the same key within its connection, however often and
   * wherever the source lists it (mail: Message-ID + part hash; never the UID). A second document with the key is a duplicate.
   */
  readonly dedupeKey: string;
  /**
   * The content decides: of all documents of a connection with the same bytes only the first is recorded, whatever their
   * keys. For files, which are renamed, moved and copied; `dedupeKey` then says which version of which file it is.
   */
  readonly isSameByContent?: boolean;
  /**
   * XML documents that came with this one, in the same mail: when it proves to be the readable picture of one of them, it is
   * that document's duplicate, for one invoice is one document (ADR 18). They stand before it in the listing.
   */
  readonly pictureOf?: readonly DocumentRef[];
  /** The id in the source system, stable when the file is re-rendered; null for mail and portals that give none (spec 2). */
  readonly externalId: string | null;
  readonly filename: string;
  /** What the source knows. Absent: the document's own content decides, else `document`. */
  readonly documentType?: DocumentType;
  readonly metadata: Metadata;
  /** Whatever `open` needs to find the bytes again, also in a later fetch. */
  readonly locator: Json;
  /** Bytes, when the listing tells. A hint only. */
  readonly size?: number;
}

/** One step of a listing. The page's documents, its count of filtered ones and its cursor become true in one commit. */
export interface SourcePage<Cursor extends Json = Json> {
  readonly documents: readonly DocumentRef[];
  /** Documents that the source showed and the connection's filters left out. */
  readonly filtered?: number;
  /** Where the next page, or the next fetch, goes on. */
  readonly cursor: Cursor;
}

export interface SourceDocument {
  readonly stream: Readable;
  readonly filename: string;
  readonly mimeType: string;
  /** Bytes, when known. */
  readonly size?: number;
  /** For whoever has read all of it and needs nothing of the bytes that came any more: frees them, so that they are no garbage (ADR 19). */
  readonly releaseBuffers?: () => void;
}

/** Who the credentials belong to. `id` is stable; mending with another account's credentials is refused (decisions 4). */
export interface AccountInfo {
  readonly id: string;
  readonly display: string;
}
