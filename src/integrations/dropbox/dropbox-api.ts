import type { Session } from '../core/integration';
import { CursorInvalid } from '../core/source-errors';
import { RestClient } from '../shared/rest/rest-client';
import { classify, classifyContinue, classifyDocument, unauthorized } from './dropbox-errors';

export const API = 'https://api.dropboxapi.com';
const CONTENT = 'https://content.dropboxapi.com';
/** The maximum page size of the API. */
const PAGE = 2000;

export interface DropboxFile {
  readonly '.tag': 'file';
  /** `id:…`, stable when the file is renamed or moved. */
  readonly id: string;
  readonly name: string;
  readonly path_lower?: string | null;
  readonly path_display?: string | null;
  /** According to the user's computer; for display only. */
  readonly client_modified: string;
  readonly server_modified: string;
  readonly rev: string;
  /** The size in bytes. */
  readonly size: number;
  /** Dropbox's own hash of the content (`ContentHash`). */
  readonly content_hash?: string | null;
  readonly is_downloadable?: boolean;
  readonly export_info?: {
    readonly export_as?: string | null;
    readonly export_options?: readonly string[] | null;
  } | null;
  readonly preview_url?: string | null;
}

export interface DropboxFolder {
  readonly '.tag': 'folder';
  readonly id: string;
  readonly name: string;
  readonly path_lower?: string | null;
  readonly path_display?: string | null;
  readonly sharing_info?: { readonly no_access?: boolean } | null;
}

/** The entry at this path was deleted. */
interface Deleted {
  readonly '.tag': 'deleted';
  readonly path_lower?: string | null;
}

export type Entry = DropboxFile | DropboxFolder | Deleted;

interface Entries {
  readonly entries: readonly Entry[];
  readonly cursor: string;
  readonly has_more: boolean;
}

interface Account {
  readonly account_id: string;
  readonly email?: string;
  readonly name?: { readonly display_name?: string };
  readonly root_info: { readonly root_namespace_id: string };
}

type DropboxConnection = Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>;

/** The used part of the Dropbox API (v2). Every call is a POST, including read-only ones. */
export class DropboxApi {
  private readonly client: RestClient;
  private readonly changesClient: RestClient;
  private readonly files: RestClient;

  private constructor(
    session: DropboxConnection,
    /** The namespace of all paths: that of the team space, if any, which contains the user's own folder. */
    readonly root: string,
  ) {
    const headers = { 'dropbox-api-path-root': asHeader({ '.tag': 'root', root }) };
    const options = { provider: 'Dropbox', headers, unauthorized };
    this.client = new RestClient(session, { ...options, classify });
    this.changesClient = new RestClient(session, { ...options, classify: classifyContinue });
    // Content is served by another host. A configured address is used for both.
    const apiBaseUrl = session.apiBaseUrl === API ? CONTENT : session.apiBaseUrl;
    const { network, signal, accessToken } = session;
    const content = { network, signal, accessToken, apiBaseUrl };
    this.files = new RestClient(content, { ...options, classify: classifyDocument });
  }

  static async open(session: Session): Promise<DropboxApi> {
    const account = await session.shared(
      'account',
      () => DropboxApi.account(session),
      () => undefined,
    );
    return new DropboxApi(session, account.root_info.root_namespace_id);
  }

  static account(session: DropboxConnection): Promise<Account> {
    const client = new RestClient(session, { provider: 'Dropbox', classify, unauthorized });
    return client.post('/2/users/get_current_account', null);
  }

  /** The metadata of a file or folder; the root has none. @throws SelectionNotFound when it does not exist */
  metadata(id: string): Promise<Entry> {
    return this.client.post('/2/files/get_metadata', { path: id });
  }

  /** The first page of a folder's entries (an empty path is the root), optionally of all levels, including shared folders. */
  list(path: string, recursive: boolean): Promise<Entries> {
    return this.client.post('/2/files/list_folder', { path, recursive, limit: PAGE });
  }

  /** The next page, or the changes since the last one. Null when Dropbox requires a new listing. */
  async nextPage(cursor: string): Promise<Entries | null> {
    try {
      return await this.changesClient.post('/2/files/list_folder/continue', { cursor });
    } catch (error) {
      if (error instanceof CursorInvalid) return null;
      throw error;
    }
  }

  content(id: string) {
    return this.bytes('/2/files/download', { path: id });
  }

  export(id: string, format: string) {
    return this.bytes('/2/files/export', { path: id, export_format: format });
  }

  private bytes(path: string, parameters: unknown) {
    return this.files.bytes(path, {}, { method: 'POST', headers: { 'dropbox-api-arg': asHeader(parameters) } });
  }
}

/** JSON for a header, with non-ASCII characters escaped. */
function asHeader(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escaped);
}
