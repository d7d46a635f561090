import type { Session } from '../core/integration';
import { RestClient } from '../shared/rest/rest-client';
import { classify, classifyDocument } from './box-errors';

/** The requested fields of files and folders. */
const ITEM_FIELDS = 'id,type,name,size,sha1,etag,modified_at,content_modified_at,watermark_info';
/** The maximum page size of the API. */
const PAGE = 1000;

/** The requested fields of a file. */
export interface BoxFile {
  readonly type: 'file';
  readonly id: string;
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-1 of the content in hexadecimal. */
  readonly sha1: string;
  /** The time of its upload or change in Box (RFC 3339 with an offset). */
  readonly modified_at: string;
  /** The time of the user's change, according to the user's computer. */
  readonly content_modified_at?: string | null;
  readonly watermark_info?: { readonly is_watermarked?: boolean };
}

export interface BoxFolder {
  readonly type: 'folder';
  readonly id: string;
  readonly name: string;
}

/** Including bookmarks. */
export type BoxItem = BoxFile | BoxFolder | { readonly type: 'web_link'; readonly id: string };

export interface Items {
  readonly entries: readonly BoxItem[];
  /** Null, empty or absent on the last page. */
  readonly next_marker?: string | null;
}

/** The used part of the Box API (2.0). */
export class BoxApi {
  private readonly client: RestClient;
  private readonly files: RestClient;

  constructor(session: Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>) {
    this.client = new RestClient(session, { provider: 'Box', classify });
    this.files = new RestClient(session, { provider: 'Box', classify: classifyDocument, followsRedirects: true });
  }

  user(): Promise<{ id: string; login?: string; name?: string }> {
    return this.client.json('/2.0/users/me', { fields: 'id,login,name' });
  }

  /** A folder with its parents, from the root. @throws SelectionNotFound when it does not exist */
  folder(id: string): Promise<BoxFolder & { path_collection: { entries: readonly BoxFolder[] } }> {
    return this.client.json(`/2.0/folders/${encodeURIComponent(id)}`, { fields: 'id,type,name,path_collection' });
  }

  /** A page of a folder's entries. Markers are stable while the folder changes; offsets would skip and repeat entries. */
  items(folder: string, marker?: string): Promise<Items> {
    const query = { usemarker: true, marker, limit: PAGE, fields: ITEM_FIELDS };
    return this.client.json(`/2.0/folders/${encodeURIComponent(folder)}/items`, query);
  }

  /** @throws NotReady, DocumentUnavailable */
  content(id: string) {
    return this.files.bytes(`/2.0/files/${encodeURIComponent(id)}/content`);
  }
}
