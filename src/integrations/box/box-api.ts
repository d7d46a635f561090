import type { Session } from '../core/integration';
import { RestClient } from '../shared/rest/rest-client';
import { classify, classifyDocument } from './box-errors';

/** What is asked for of every file and folder. */
const ITEM_FIELDS = 'id,type,name,size,sha1,etag,modified_at,content_modified_at,watermark_info';
/** The largest pages that the API gives. */
const PAGE = 1000;

/** A file as far as it is asked for. */
export interface BoxFile {
  readonly type: 'file';
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha1: string;
  /** When it came to Box, or was changed there (RFC 3339, with an offset). */
  readonly modified_at: string;
  /** When the user changed it, as the user's computer has it. */
  readonly content_modified_at?: string | null;
  readonly watermark_info?: { readonly is_watermarked?: boolean };
}

export interface BoxFolder {
  readonly type: 'folder';
  readonly id: string;
  readonly name: string;
}

/** Also what is neither: bookmarks. */
export type BoxItem = BoxFile | BoxFolder | { readonly type: 'web_link'; readonly id: string };

export interface Items {
  readonly entries: readonly BoxItem[];
  /** Null, empty or absent on the last page. */
  readonly next_marker?: string | null;
}

/** What of the Box API (2.0) is used. */
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

  /** A folder with the names of those that it lies in, from the top. @throws SelectionNotFound when it is not there */
  folder(id: string): Promise<BoxFolder & { path_collection: { entries: readonly BoxFolder[] } }> {
    return this.client.json(`/2.0/folders/${encodeURIComponent(id)}`, { fields: 'id,type,name,path_collection' });
  }

  /** A page of what is in a folder. Markers hold while the folder changes; counted pages would skip and repeat. */
  items(folder: string, marker?: string): Promise<Items> {
    const query = { usemarker: true, marker, limit: PAGE, fields: ITEM_FIELDS };
    return this.client.json(`/2.0/folders/${encodeURIComponent(folder)}/items`, query);
  }

  /** @throws NotReady, DocumentUnavailable */
  content(id: string) {
    return this.files.bytes(`/2.0/files/${encodeURIComponent(id)}/content`);
  }
}
