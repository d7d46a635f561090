import { randomBytes } from 'node:crypto';
import { type BoxState, type Item, resource } from './box-state';

/** A response of the API: JSON, or headers only. */
export interface BoxAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const refused = (status: number, code: string, headers: Record<string, string> = {}): BoxAnswer => ({
  status,
  json: { type: 'error', status, code, message: 'As asked.', request_id: 'abcdef123456' },
  headers,
});

/** The used methods of the API, as the reference describes them. */
export class BoxEndpoints {
  /** The server's own page limit; clients have to accept fewer entries than they request. */
  page = 100;
  /** The download URLs, each valid for a limited time. */
  readonly downloads = new Map<string, Item>();

  constructor(
    private readonly account: (login: string) => BoxState,
    private readonly downloadUrl: () => string,
  ) {}

  answer(login: string, url: URL): BoxAnswer {
    const state = this.account(login);
    const [, kind, id, what] = /^\/2\.0\/(\w+)\/(\w+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const fields = url.searchParams.get('fields')?.split(',') ?? [];
    if (kind === 'users' && id === 'me') {
      return { status: 200, json: { type: 'user', id: state.user, name: login.split('@')[0], login } };
    }
    const item = state.items.get(id ?? '');
    if (!item) return refused(404, 'not_found');
    if (kind === 'files' && what === 'content') return this.content(item);
    if (kind !== 'folders' || item.type !== 'folder') return refused(404, 'not_found');
    if (what === undefined) return { status: 200, json: resource(item, fields) };
    return this.items(state, item, fields, url.searchParams);
  }

  /** Paging by markers: entries that are added or removed before a marker do not shift the next page. */
  private items(state: BoxState, folder: Item, fields: string[], query: URLSearchParams): BoxAnswer {
    if (query.get('usemarker') !== 'true') return refused(400, 'bad_request');
    const after = Number(query.get('marker')?.replace('after-', '') ?? 0);
    const limit = Math.min(this.page, Number(query.get('limit') ?? 100));
    const left = state
      .in(folder)
      .filter(({ id }) => Number(id) > after)
      .sort((a, b) => Number(a.id) - Number(b.id));
    const part = left.slice(0, limit);
    const next_marker = left.length > limit ? `after-${part.at(-1)!.id}` : '';
    // Folders and links have fewer fields than files; no client may rely on more.
    const entries = part.map((item) => resource(item, item.type === 'file' ? fields : []));
    return { status: 200, json: { entries, limit, next_marker } };
  }

  private content(item: Item): BoxAnswer {
    if (item.type !== 'file') return refused(404, 'not_found');
    const path = `/d/1/${randomBytes(12).toString('base64url')}/download`;
    this.downloads.set(path, item);
    return { status: 302, headers: { location: this.downloadUrl() + path } };
  }
}
