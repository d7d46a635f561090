import type { OldestRows } from '../../platform/history/create-past-partitions';
import type { FEED_SEQUENCES } from '../moved-tables';

/** Of the file; the rows have the format of the schema. */
export const FORMAT = 2;

/** The first frame of an export. */
export interface Header {
  readonly format: number;
  readonly transfer_uuid: string;
  readonly environment_uuid: string;
  /** The executed migrations: rows fit only into the same schema. */
  readonly migrations: readonly string[];
  /** The buckets and prefixes where the source keeps documents. */
  readonly locations: readonly string[];
  /** The last position that the source has assigned, in any environment. */
  readonly positions: Readonly<Record<(typeof FEED_SEQUENCES)[number], string>>;
  readonly oldest_rows: OldestRows;
}

/** Precedes the rows of a table. */
export interface TableFrame {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A data key as it is, which exists outside of both databases only in the encrypted file. */
export interface KeyFrame {
  readonly owner_uuid: string;
  readonly version: number;
  /** base64 */
  readonly key: string;
  readonly created_at: string;
  /** The versions that only decrypt. */
  readonly others: readonly OtherVersion[];
}

export interface OtherVersion {
  readonly version: number;
  /** base64 */
  readonly key: string;
  readonly created_at: string;
  readonly replaced_at: string | null;
}

/** A content, whose encrypted chunks follow. */
export interface ContentFrame {
  readonly uuid: string;
  readonly owner_uuid: string;
  readonly size: string;
  readonly sha256: string;
  readonly chunks: number;
  readonly key_version: number;
  readonly created_at: string;
  readonly attached_at: string;
}

/** The last frame. */
export interface EndFrame {
  readonly keys: number;
  readonly contents: number;
}
