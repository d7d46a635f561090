import type { Grant } from '../oauth/authorization-server';
import { contentHash, type DropboxState, type Item, metadata } from './dropbox-state';

/** A response of the API: JSON, text (400), or bytes with JSON in a header. */
export interface DropboxAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call whose token has been verified. */
export interface Call {
  readonly grant: Grant;
  /** `files/list_folder`. */
  readonly route: string;
  readonly argument: unknown;
  /** The value of `Dropbox-API-Path-Root`. */
  readonly pathRoot: { readonly '.tag': string; readonly root?: string } | undefined;
  readonly range: string | undefined;
}

/** The union `path/not_found`. */
export function refused(status: number, reason: string, more: object = {}): DropboxAnswer {
  const tags = reason.split('/');
  const error = tags.reduceRight<unknown>((inner, tag) => ({ '.tag': tag, ...(inner ? { [tag]: inner } : {}) }), null);
  return { status, json: { error_summary: `${reason}/...`, error: { ...(error as object), ...more } } };
}

export const tooMany = (seconds: number): DropboxAnswer => ({
  status: 429,
  json: {
    error_summary: 'too_many_requests/',
    error: { reason: { '.tag': 'too_many_requests' }, retry_after: seconds },
  },
});

const gone = () => refused(409, 'path/not_found');

/** The state of a cursor: the rest of a listing, and the position of later changes. */
interface Cursor {
  readonly folder: Item;
  readonly path: string;
  readonly left: readonly unknown[];
  readonly place: number;
  readonly limit: number;
}

/** The used routes, as the HTTP documentation describes them. */
export class DropboxEndpoints {
  /** The server's own page limit; clients have to accept fewer entries than they request. */
  page = 100;
  private readonly cursors = new Map<string, Cursor>();

  constructor(private readonly account: (email: string) => DropboxState) {}

  answer(call: Call): DropboxAnswer {
    const state = this.account(call.grant.account);
    if (call.route === 'users/get_current_account') return account(state, call.grant.account);
    if (call.pathRoot && call.pathRoot.root !== state.rootNamespace) return refused(422, 'invalid_root');
    // Without the header, paths are relative to the user's own folder.
    const base = call.pathRoot || !state.home ? state.root : state.home;
    const given = (call.argument ?? {}) as { path?: string; cursor?: string; recursive?: boolean; limit?: number };
    if (call.route === 'files/list_folder') return this.list(state, base, given);
    if (call.route === 'files/list_folder/continue') return this.goOn(state, base, given.cursor ?? '');
    const item = find(state, base, given.path ?? '');
    if (typeof item === 'string') return refused(409, item);
    if (call.route === 'files/get_metadata') return { status: 200, json: metadata(state, item, base) };
    if (call.route === 'files/download') return download(state, base, item, call.range);
    if (call.route === 'files/export') return exported(state, base, item, call.argument as { export_format?: string });
    return { status: 400, text: `Unknown API function: "${call.route}"` };
  }

  private list(
    state: DropboxState,
    base: Item,
    given: { path?: string; recursive?: boolean; limit?: number },
  ): DropboxAnswer {
    const folder = given.path === '' ? base : find(state, base, given.path!);
    if (typeof folder === 'string') return refused(409, folder);
    if (folder.content !== null) return refused(409, 'path/not_folder');
    const items = given.recursive ? state.below(folder) : [...state.in(folder)];
    const left = items.map((item) => metadata(state, item, base));
    const path = state.pathOf(folder).toLowerCase();
    const limit = Math.min(this.page, given.limit ?? this.page);
    return this.part({ folder, path, left, place: state.place, limit });
  }

  private goOn(state: DropboxState, base: Item, given: string): DropboxAnswer {
    const cursor = this.cursors.get(given);
    const text = 'Error in call to API function "files/list_folder/continue": Invalid "cursor" parameter';
    if (!cursor) return { status: 400, text };
    const changes = state.since(cursor.place, cursor.path);
    if (changes === null) return refused(409, 'reset');
    if (cursor.folder !== state.root && state.find(cursor.folder.id) !== cursor.folder) return gone();
    if (cursor.left.length > 0) return this.part(cursor);
    const left = changes.map((change) => {
      if ('put' in change) return metadata(state, change.put, base);
      const path = change.deleted.slice(state.pathOf(base).length);
      return { '.tag': 'deleted', name: path.split('/').at(-1), path_lower: path, path_display: path };
    });
    return this.part({ ...cursor, left, place: state.place });
  }

  private part(cursor: Cursor): DropboxAnswer {
    const entries = cursor.left.slice(0, cursor.limit);
    const left = cursor.left.slice(cursor.limit);
    const name = `AAE${String(this.cursors.size).padStart(8, '0')}`;
    this.cursors.set(name, { ...cursor, left });
    return { status: 200, json: { entries, cursor: name, has_more: left.length > 0 } };
  }
}

function account(state: DropboxState, email: string): DropboxAnswer {
  const name = email.split('@')[0]!;
  const { rootNamespace: root_namespace_id, homeNamespace: home_namespace_id, home } = state;
  const json = {
    account_id: state.account,
    name: { given_name: name, surname: name, familiar_name: name, display_name: name, abbreviated_name: 'A' },
    email,
    email_verified: true,
    disabled: false,
    locale: 'de',
    referral_link: 'https://www.dropbox.com/referrals/fake',
    is_paired: false,
    account_type: { '.tag': home ? 'business' : 'basic' },
    root_info: {
      '.tag': home ? 'team' : 'user',
      root_namespace_id,
      home_namespace_id,
      ...(home && { home_path: state.pathOf(home) }),
    },
  };
  return { status: 200, json };
}

/** The content, or the reason for its absence. */
function find(state: DropboxState, base: Item, path: string): Item | string {
  if (!/^(id:|\/)/.test(path)) return 'path/malformed_path';
  const item = path.startsWith('id:') ? state.find(path) : state.at(path, base);
  const isInside = item && `${state.pathOf(item)}/`.startsWith(`${state.pathOf(base)}/`);
  return isInside ? item : 'path/not_found';
}

function download(state: DropboxState, base: Item, item: Item, range: string | undefined): DropboxAnswer {
  if (item.content === null) return refused(409, 'path/not_file');
  if (item.exports) return refused(409, 'unsupported_file');
  const result = metadata(state, item, base);
  delete result['.tag'];
  const headers = {
    'dropbox-api-result': asHeader(result),
    'content-type': 'application/octet-stream',
    etag: item.rev,
  };
  const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  if (from === undefined) return { status: 200, bytes: item.content, headers };
  const end = item.content.length - 1;
  const bytes = item.content.subarray(Number(from));
  return { status: 206, bytes, headers: { ...headers, 'content-range': `bytes ${from}-${end}/${end + 1}` } };
}

function exported(
  state: DropboxState,
  base: Item,
  item: Item,
  { export_format: format }: { export_format?: string },
): DropboxAnswer {
  if (!item.exports) return refused(409, 'non_exportable');
  const { export_as: standard, export_options: others = [] } = item.exports;
  if (format !== undefined && ![standard, ...others].includes(format)) return refused(409, 'invalid_export_format');
  const bytes = Buffer.concat([Buffer.from(`exported as ${format ?? standard}: `), item.content!]);
  const file = metadata(state, item, base);
  delete file['.tag'];
  const of = { name: `${item.name}.${format ?? standard}`, size: bytes.length, export_hash: contentHash(bytes) };
  const result = { export_metadata: of, file_metadata: file };
  return { status: 200, bytes, headers: { 'dropbox-api-result': asHeader(result), 'content-type': 'text/plain' } };
}

const asHeader = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
