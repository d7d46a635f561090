import type { Session } from '../core/integration';
import { SelectionNotFound } from '../core/source-errors';
import { RestClient } from '../shared/rest/rest-client';
import type { Query } from '../shared/rest/rest-request';
import { classify, classifyChanges, classifyDocument } from './drive-errors';

export const FOLDER = 'application/vnd.google-apps.folder';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';
const FILE_FIELDS =
  'id,name,mimeType,size,md5Checksum,parents,driveId,createdTime,modifiedTime,trashed,webViewLink,sharedWithMeTime,shortcutDetails(targetId,targetMimeType),capabilities(canDownload)';
/** The maximum page size of the API. */
const PAGE = 1000;

/** The requested fields of a file or folder. */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** The size in bytes; absent without content. */
  readonly size?: string;
  readonly md5Checksum?: string;
  /** At most one; absent when the user has no access to it. */
  readonly parents?: readonly string[];
  /** The shared drive that contains it. */
  readonly driveId?: string;
  readonly createdTime: string;
  readonly modifiedTime: string;
  readonly trashed: boolean;
  readonly webViewLink?: string;
  /** Set when the item itself was shared with the user, not a folder that contains it. */
  readonly sharedWithMeTime?: string;
  /** The target of a shortcut. */
  readonly shortcutDetails?: { readonly targetId?: string; readonly targetMimeType?: string };
  readonly capabilities?: { readonly canDownload?: boolean };
}

export interface Change {
  readonly fileId?: string;
  readonly removed?: boolean;
  readonly file?: DriveFile;
}

interface ChangeList {
  readonly changes?: readonly Change[];
  readonly nextPageToken?: string;
  readonly newStartPageToken?: string;
}

/** The used part of the Drive API (v3). Shared drives are always included; a listing names one of them. */
export class DriveApi {
  private readonly client: RestClient;
  private readonly changesClient: RestClient;
  private readonly files: RestClient;

  constructor(session: Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>) {
    this.client = new RestClient(session, { provider: 'Google Drive', classify });
    this.changesClient = new RestClient(session, { provider: 'Google Drive', classify: classifyChanges });
    this.files = new RestClient(session, { provider: 'Google Drive', classify: classifyDocument });
  }

  async user(): Promise<{ permissionId: string; emailAddress?: string; displayName?: string }> {
    const fields = 'user(permissionId,emailAddress,displayName)';
    return (await this.client.json<{ user: { permissionId: string } }>('/drive/v3/about', { fields })).user;
  }

  file(id: string): Promise<DriveFile> {
    return this.client.json(`/drive/v3/files/${encodeURIComponent(id)}`, {
      fields: FILE_FIELDS,
      supportsAllDrives: true,
    });
  }

  /** Null when it does not exist or the user has no access. */
  async fileOrNull(id: string): Promise<DriveFile | null> {
    try {
      return await this.file(id);
    } catch (error) {
      if (error instanceof SelectionNotFound) return null;
      throw error;
    }
  }

  /** The shared drives of the user. */
  async drives(): Promise<{ id: string; name: string }[]> {
    const all: { id: string; name: string }[] = [];
    for (let pageToken: string | undefined; ;) {
      const page = await this.client.json<{ drives?: { id: string; name: string }[]; nextPageToken?: string }>(
        '/drive/v3/drives',
        { pageSize: 100, pageToken, fields: 'nextPageToken,drives(id,name)' },
      );
      all.push(...(page.drives ?? []));
      pageToken = page.nextPageToken;
      if (!pageToken) return all;
    }
  }

  /** Files and folders that match a Drive query, page by page; of one shared drive or the user's own. */
  async *list(q: string, driveId: string | undefined): AsyncGenerator<readonly DriveFile[]> {
    for (let pageToken: string | undefined; ;) {
      const page = await this.client.json<{ files?: DriveFile[]; nextPageToken?: string }>('/drive/v3/files', {
        q,
        pageSize: PAGE,
        pageToken,
        spaces: 'drive',
        ...where(driveId),
        fields: `nextPageToken,files(${FILE_FIELDS})`,
      });
      yield page.files ?? [];
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /** The current end of the change list. */
  async startPageToken(driveId: string | undefined): Promise<string> {
    const query = { supportsAllDrives: true, driveId, fields: 'startPageToken' };
    return (await this.client.json<{ startPageToken: string }>('/drive/v3/changes/startPageToken', query))
      .startPageToken;
  }

  /** @throws CursorInvalid when the token has expired */
  changes(pageToken: string, driveId: string | undefined): Promise<ChangeList> {
    return this.changesClient.json('/drive/v3/changes', {
      pageToken,
      driveId,
      pageSize: PAGE,
      spaces: 'drive',
      includeRemoved: false,
      includeItemsFromAllDrives: true,
      supportsAllDrives: true,
      fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${FILE_FIELDS}))`,
    });
  }

  content(id: string) {
    return this.files.bytes(`/drive/v3/files/${encodeURIComponent(id)}`, { alt: 'media', supportsAllDrives: true });
  }

  export(id: string, mimeType: string) {
    return this.files.bytes(`/drive/v3/files/${encodeURIComponent(id)}/export`, { mimeType });
  }
}

/** A shared drive is listed completely only when it is named in the request. */
function where(driveId: string | undefined): Query {
  return driveId === undefined
    ? { corpora: 'user' }
    : { corpora: 'drive', driveId, includeItemsFromAllDrives: true, supportsAllDrives: true };
}

/** A string literal in a query. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
