import type { Readable } from 'node:stream';
import type { DocumentType, Metadata } from '../../documents/metadata';
import type { FilteredBy } from './filter-reason';

/** A JSON value; cursors and locators are stored as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A listed document, before its content is downloaded. */
export interface DocumentRef {
  /**
   * Our key, never null, at most 255 characters: a document always has the same key within its connection, however often and
   * wherever the source lists it (mail: Message-ID + part hash; never the UID). A second document with the key is a duplicate.
   */
  readonly dedupeKey: string;
  /**
   * Deduplicates by content: of all documents of a connection with the same bytes only the first is recorded, whatever their keys.
   * For files, which are renamed, moved and copied; `dedupeKey` then identifies a version of a file.
   */
  readonly isSameByContent?: boolean;
  /**
   * XML documents that came with this PDF: when it proves to show one of them, the two are recorded as one document with a rendition,
   * because one invoice is one document (ADR 18). They precede it in the listing. The name is stored in `fetch_failure.ref`.
   */
  readonly renditionOf?: readonly DocumentRef[];
  /** The id in the source system, stable when the file is rendered again; null for mail and for portals without ids (spec 2). */
  readonly externalId: string | null;
  readonly filename: string;
  /** The type according to the source. Absent: determined by the content, else `document`. */
  readonly documentType?: DocumentType;
  readonly metadata: Metadata;
  /** The data that `download` needs to find the content, also in a later fetch. */
  readonly locator: Json;
  /** The size in bytes, when the listing contains it. A hint only. */
  readonly size?: number;
}

/** A page of a listing. Its documents, its counts of filtered ones and its cursor are committed together. */
export interface SourcePage<Cursor extends Json = Json> {
  readonly documents: readonly DocumentRef[];
  /** Listed documents that are not fetched, by reason. Every listed document is in `documents` or in one of these counts. */
  readonly filteredBy?: FilteredBy;
  /** The dedupe keys of listed files that have been read and are no documents themselves, such as archives: `findKnown` knows them. */
  readonly readKeys?: readonly string[];
  /** The position at which the next page or the next fetch continues. */
  readonly cursor: Cursor;
}

export interface SourceDocument {
  readonly stream: Readable;
  readonly filename: string;
  readonly mimeType: string;
  /** The size in bytes, when known. */
  readonly size?: number;
  /**
   * Releases the memory of the chunks immediately instead of leaving it to garbage collection (ADR 19). Call it after reading all of
   * the stream, when no chunk is needed any more.
   */
  readonly releaseBuffers?: () => void;
}

/** The account of the credentials. `id` is stable; reconnecting with the credentials of another account is rejected (decisions 4). */
export interface AccountInfo {
  readonly id: string;
  readonly display: string;
}
