import type { Session } from '../core/integration';
import { SelectionNotFound } from '../core/source-errors';
import { type Query, RestClient } from '../shared/rest/rest-client';
import { classify, classifyChanges, classifyDocument } from './drive-errors';

export const FOLDER = 'application/vnd.google-apps.folder';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';
const FILE_FIELDS =
  'id,name,mimeType,size,md5Checksum,parents,driveId,createdTime,modifiedTime,trashed,webViewLink,sharedWithMeTime,shortcutDetails(targetId,targetMimeType),capabilities(canDownload)';
/** The largest pages that the API gives. */
const PAGE = 1000;

/** A file or folder, as far as it is asked for. */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes; absent for what has none. */
  readonly size?: string;
  readonly md5Checksum?: string;
  /** One at the most; absent when the user may not see it. */
  readonly parents?: readonly string[];
  /** The shared drive that it lies in. */
  readonly driveId?: string;
  readonly createdTime: string;
  readonly modifiedTime: string;
  readonly trashed: boolean;
  readonly webViewLink?: string;
  /** Of what somebody else has shared with the user, itself and not with a folder around it. */
  readonly sharedWithMeTime?: string;
  /** Of a shortcut: what it leads to. */
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

/** What of the Drive API (v3) is used. Shared drives are asked for everywhere; which one has to be said for each listing. */
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

  /** Null when it is not there, or not the user's to see. */
  async fileIfThere(id: string): Promise<DriveFile | null> {
    try {
      return await this.file(id);
    } catch (error) {
      if (error instanceof SelectionNotFound) return null;
      throw error;
    }
  }

  /** Every shared drive that the user is a member of. */
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

  /** Files and folders that meet a condition in Google's language, page by page; of one shared drive, or of the user's own. */
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

  /** The present end of the list of changes. */
  async startPageToken(driveId: string | undefined): Promise<string> {
    const query = { supportsAllDrives: true, driveId, fields: 'startPageToken' };
    return (await this.client.json<{ startPageToken: string }>('/drive/v3/changes/startPageToken', query))
      .startPageToken;
  }

  /** @throws CursorInvalid when the token is no longer known */
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

/** Of a shared drive everything is listed only when it is asked for by name. */
function where(driveId: string | undefined): Query {
  return driveId === undefined
    ? { corpora: 'user' }
    : { corpora: 'drive', driveId, includeItemsFromAllDrives: true, supportsAllDrives: true };
}

/** A text within a condition. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
