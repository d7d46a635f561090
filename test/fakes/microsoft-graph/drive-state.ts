import { createHash } from 'node:crypto';

/** One file, folder, package or shortcut, with its bytes. */
export interface Item {
  readonly id: string;
  readonly kind: 'file' | 'folder' | 'package' | 'shortcut';
  name: string;
  parent: string | null;
  createdDateTime: string;
  lastModifiedDateTime: string;
  content: Buffer | null;
  isDeleted: boolean;
  hasMalware: boolean;
  /** The target of a shortcut. */
  readonly remote?: { readonly driveId: string; readonly id: string };
}

type Made = Partial<Item> & Pick<Item, 'name' | 'parent' | 'kind'>;

let drives = 0;

/** A user's drive or a SharePoint library, with its change list. */
export class DriveState {
  readonly id = `b!fake${String(++drives).padStart(6, '0')}-_x`;
  readonly items = new Map<string, Item>();
  /** Only individually shared folders may be read, not the whole drive. */
  isClosed = false;
  private readonly log: string[] = [];
  private readonly tokens = new Map<string, { ids: readonly string[]; place: number; select: string | null }>();
  private ids = 0;

  constructor(
    readonly name = 'OneDrive',
    readonly driveType: 'business' | 'documentLibrary' = 'business',
    readonly webUrl = 'https://contoso-my.sharepoint.com/personal/anna/Documents',
  ) {
    this.add({ name: 'root', parent: null, kind: 'folder' });
  }

  get root(): Item {
    return [...this.items.values()].find(({ parent }) => parent === null)!;
  }

  /** Puts a file at a path; missing folders are created. */
  put(path: string, content: string | Buffer, more: Partial<Item> = {}): Item {
    const parent = this.folder(path.split('/').slice(0, -1).join('/')).id;
    const name = path.split('/').at(-1)!;
    const before = [...this.items.values()].find((item) => item.parent === parent && item.name === name);
    const bytes = Buffer.from(content);
    if (before && !before.isDeleted) {
      return this.change(before.id, { content: bytes, lastModifiedDateTime: now(), ...more });
    }
    return this.add({ name, parent, kind: 'file', content: bytes, ...more });
  }

  /** The folder at a path; the drive's root for an empty path. */
  folder(path: string, kind: 'folder' | 'package' = 'folder'): Item {
    let at = this.root;
    for (const name of path.split('/').filter((segment) => segment !== '')) {
      const known = [...this.items.values()].find((item) => item.parent === at.id && item.name === name);
      at = known ?? this.add({ name, parent: at.id, kind });
    }
    return at;
  }

  shortcut(name: string, remote: { driveId: string; id: string }): Item {
    return this.add({ name, parent: this.root.id, kind: 'shortcut', remote });
  }

  change(id: string, changes: Partial<Item>): Item {
    const item = Object.assign(this.items.get(id)!, changes);
    this.log.push(id);
    return item;
  }

  childrenOf(id: string): Item[] {
    return [...this.items.values()].filter((item) => item.parent === id && !item.isDeleted);
  }

  /**
   * One page of the change list: everything (`token` null), or the changes after a token. Folders above a changed item
   * are included, children before their parents. Null when the token has expired.
   */
  delta(token: string | null, select: string | null, limit: number) {
    const known = token === null ? { ids: this.everything(), place: this.log.length, select } : this.tokens.get(token);
    if (!known) return null;
    const ids = known.ids.length > 0 || token === null ? known.ids : this.since(known.place);
    const place = known.ids.length > 0 ? known.place : this.log.length;
    const [page, rest] = [ids.slice(0, limit), ids.slice(limit)];
    const next = createHash('sha256').update(`${this.id} ${this.tokens.size}`).digest('base64url');
    this.tokens.set(next, { ids: rest, place, select: known.select });
    return { items: page.map((id) => this.items.get(id)!), next, isLast: rest.length === 0, select: known.select };
  }

  /** Invalidates all tokens issued so far. */
  invalidateCursors(): void {
    this.tokens.clear();
  }

  private everything(): string[] {
    return [...this.items.values()]
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id }) => id)
      .reverse();
  }

  private since(place: number): string[] {
    const ids = new Set<string>();
    for (const changed of this.log.slice(place)) {
      for (let id: string | null = changed; id !== null; id = this.items.get(id)!.parent) ids.add(id);
    }
    return [...ids];
  }

  private add(given: Made): Item {
    const id = `01FAKE${String(++this.ids).padStart(5, '0')}${this.id.slice(2, 12).toUpperCase()}`;
    const time = '2026-11-01T09:30:00Z';
    const rest = {
      createdDateTime: time,
      lastModifiedDateTime: time,
      content: null,
      isDeleted: false,
      hasMalware: false,
    };
    this.items.set(id, { ...rest, ...given, id });
    this.log.push(id);
    return this.items.get(id)!;
  }
}

const now = (): string => new Date().toISOString();

/** The API's representation with all requested fields. Changes contain no paths. */
export function itemResource(drive: DriveState, item: Item, isChange: boolean): Record<string, unknown> {
  const { content, kind, parent, remote } = item;
  const path = [];
  for (let at = parent; at !== null; at = drive.items.get(at)!.parent) path.unshift(drive.items.get(at)!.name);
  const above = ['', ...path.slice(1).map(encodeURIComponent)].join('/');
  const parentReference = {
    driveId: drive.id,
    driveType: drive.driveType,
    ...(parent !== null && { id: parent, ...(!isChange && { path: `/drives/${drive.id}/root:${above}` }) }),
  };
  if (item.isDeleted) {
    const facet = kind === 'folder' ? { folder: { childCount: 0 } } : { file: {} };
    return { id: item.id, deleted: { state: 'deleted' }, parentReference, ...facet };
  }
  const hash = createHash('sha1')
    .update(content ?? '')
    .digest('base64');
  return {
    id: item.id,
    name: item.name,
    size: content?.length ?? 0,
    createdDateTime: item.createdDateTime,
    lastModifiedDateTime: item.lastModifiedDateTime,
    webUrl: `${drive.webUrl}/${encodeURIComponent(item.name)}`,
    cTag: `"c:{${item.id}},${hash.slice(0, 8)}"`,
    parentReference,
    ...(parent === null && { root: {} }),
    ...(kind === 'folder' && { folder: { childCount: drive.childrenOf(item.id).length } }),
    ...(kind === 'package' && { package: { type: 'oneNote' } }),
    ...(item.hasMalware && { malware: { description: 'EICAR' } }),
    ...(kind === 'file' && { file: { mimeType: mimeTypeOf(item.name), hashes: { quickXorHash: hash } } }),
    ...(kind === 'shortcut' && {
      remoteItem: { id: remote!.id, folder: { childCount: 1 }, parentReference: { driveId: remote!.driveId } },
    }),
  };
}

const mimeTypeOf = (name: string): string => (name.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream');
