import { createHash } from 'node:crypto';
import { type GoogleAnswer, refused } from '../google/answers';
import { select } from '../google/partial-response';
import { type DriveState, fileResource, isNative, type Item, ROOT } from './drive-state';

import { parseQuery } from './query-language';

/** The maximum size of a Google export. */
const LARGEST_EXPORT = 10 * 1024 * 1024;

/** The used methods of the API, as the reference describes them. */
export class DriveEndpoints {
  /** The server's own page limit; clients have to accept fewer entries than they request. */
  page = 100;

  constructor(private readonly account: (email: string) => DriveState) {}

  answer(email: string, url: URL, range: string | undefined): GoogleAnswer {
    const state = this.account(email);
    const path = url.pathname.replace('/drive/v3/', '');
    const query = url.searchParams;
    const [, id, export_] = /^files\/([^/]+)(\/export)?$/.exec(path) ?? [];
    if (id !== undefined && export_) return exported(state, decodeURIComponent(id), query);
    if (id !== undefined && query.get('alt') === 'media') return media(state, decodeURIComponent(id), query, range);
    const answer =
      id !== undefined ? this.file(state, decodeURIComponent(id), query) : this.collection(state, email, path, query);
    if (answer.status !== 200 || !('json' in answer)) return answer;
    const fields = query.get('fields');
    if (fields === null || fields === '*') return answer;
    const json = select(answer.json, fields);
    return json === null ? refused(400, 'invalidParameter', 'fields') : { status: 200, json };
  }

  private collection(state: DriveState, email: string, path: string, query: URLSearchParams): GoogleAnswer {
    if (path === 'about') return about(email, query);
    if (path === 'drives') return this.drives(state, query);
    if (path === 'files') return this.files(state, query);
    if (path === 'changes') return this.changes(state, query);
    if (path === 'changes/startPageToken') {
      const token = `${query.get('driveId') ?? ''}~${state.place}`;
      return { status: 200, json: { kind: 'drive#startPageToken', startPageToken: token } };
    }
    return refused(404, 'notFound');
  }

  private file(state: DriveState, given: string, query: URLSearchParams): GoogleAnswer {
    const item = find(state, given, query);
    return item ? { status: 200, json: fileResource(item) } : refused(404, 'notFound', 'fileId');
  }

  private drives(state: DriveState, query: URLSearchParams): GoogleAnswer {
    const all = [...state.drives].map(([id, name]) => ({ kind: 'drive#drive', id, name }));
    const { part, nextPageToken } = this.part(all, query);
    return { status: 200, json: { kind: 'drive#driveList', drives: part, ...(nextPageToken && { nextPageToken }) } };
  }

  private files(state: DriveState, query: URLSearchParams): GoogleAnswer {
    const test = parseQuery(query.get('q') ?? '');
    if (!test) return refused(400, 'invalid', 'q');
    const drive = query.get('driveId');
    const corpora = query.get('corpora') ?? 'user';
    const isAll = query.get('includeItemsFromAllDrives') === 'true' && query.get('supportsAllDrives') === 'true';
    if ((corpora === 'drive') !== (drive !== null)) return refused(400, 'badRequest', 'corpora');
    if (drive !== null && !isAll) return refused(403, 'teamDrivesParentLimit');
    if (drive !== null && !state.drives.has(drive)) return refused(404, 'notFound', 'driveId');
    const all = [...state.items.values()].filter(
      (item) => !isRoot(item) && item.driveId === (drive ?? undefined) && test(item),
    );
    const { part, nextPageToken } = this.part(all, query);
    const json = {
      kind: 'drive#fileList',
      incompleteSearch: false,
      files: part.map(fileResource),
      ...(nextPageToken && { nextPageToken }),
    };
    return { status: 200, json };
  }

  private changes(state: DriveState, query: URLSearchParams): GoogleAnswer {
    const token = query.get('pageToken');
    const drive = query.get('driveId') ?? '';
    if (token === null) return refused(400, 'required', 'pageToken');
    const [, of, place] = /^(.*)~(\d+)$/.exec(token) ?? [];
    const limit = Math.min(this.page, Number(query.get('pageSize') ?? 100));
    const since = of === drive && place !== undefined ? state.since(Number(place), drive, limit) : null;
    if (!since) return refused(400, 'invalid', 'pageToken');
    const changes = since.ids.map((fileId) => ({
      kind: 'drive#change',
      changeType: 'file',
      time: new Date().toISOString(),
      removed: false,
      fileId,
      file: fileResource(state.items.get(fileId)!),
    }));
    const next = `${drive}~${since.next}`;
    const json = {
      kind: 'drive#changeList',
      changes,
      ...(since.isLast ? { newStartPageToken: next } : { nextPageToken: next }),
    };
    return { status: 200, json };
  }

  private part<T>(all: readonly T[], query: URLSearchParams): { part: T[]; nextPageToken?: string } {
    const from = Number(query.get('pageToken') ?? 0);
    const size = Math.min(this.page, Number(query.get('pageSize') ?? 100));
    const part = all.slice(from, from + size);
    return from + size < all.length ? { part, nextPageToken: String(from + size) } : { part };
  }
}

const isRoot = ({ parent, sharedWithMeTime }: Item): boolean => parent === null && sharedWithMeTime === undefined;

/** Google's reference: "`fields` is required". */
function about(email: string, query: URLSearchParams): GoogleAnswer {
  if (!query.get('fields')) return refused(400, 'required', 'fields');
  const permissionId = BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 16)}`).toString();
  const user = { kind: 'drive#user', displayName: email.split('@')[0], me: true, permissionId, emailAddress: email };
  return { status: 200, json: { kind: 'drive#about', user } };
}

function find(state: DriveState, given: string, query: URLSearchParams): Item | undefined {
  const item = state.items.get(given === 'root' ? ROOT : given);
  const isShown = item?.driveId === undefined || query.get('supportsAllDrives') === 'true';
  return isShown ? item : undefined;
}

function media(state: DriveState, id: string, query: URLSearchParams, range: string | undefined): GoogleAnswer {
  const item = find(state, id, query);
  if (!item) return refused(404, 'notFound', 'fileId');
  if (isNative(item)) return refused(403, 'fileNotDownloadable');
  const { content, mimeType } = item;
  const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  if (from === undefined) return { status: 200, bytes: content!, mimeType, headers: {} };
  if (Number(from) >= content!.length) return refused(416, 'requestedRangeNotSatisfiable');
  const headers = { 'content-range': `bytes ${from}-${content!.length - 1}/${content!.length}` };
  return { status: 206, bytes: content!.subarray(Number(from)), mimeType, headers };
}

function exported(state: DriveState, id: string, query: URLSearchParams): GoogleAnswer {
  const item = state.items.get(id);
  if (!item) return refused(404, 'notFound', 'fileId');
  if (!isNative(item)) return refused(403, 'fileNotExportable');
  if (query.get('mimeType') !== 'application/pdf') return refused(400, 'badRequest', 'mimeType');
  if ((item.content?.length ?? 0) > LARGEST_EXPORT) return refused(403, 'exportSizeLimitExceeded');
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7 exported '), item.content ?? Buffer.alloc(0)]);
  return { status: 200, bytes, mimeType: 'application/pdf', headers: {} };
}
