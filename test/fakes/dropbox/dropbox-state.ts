import { createHash } from 'node:crypto';

const BLOCK = 4 * 1024 * 1024;
const TIME = '2026-11-01T09:30:00Z';

/** The export formats of a native document. */
export interface Exports {
  readonly export_as: string;
  readonly export_options?: readonly string[];
}

export interface Item {
  readonly id: string;
  name: string;
  parent: Item | null;
  /** Null for folders. */
  content: Buffer | null;
  clientModified: string;
  serverModified: string;
  rev: string;
  exports?: Exports;
  /** The namespace of a mounted folder. */
  sharedFolderId?: string;
  hasNoAccess?: boolean;
}

type Logged = { readonly put: Item } | { readonly deleted: string };

let accounts = 0;

/** All files that one user sees: the user's Dropbox, or a team space with the user's folder, and its change log. */
export class DropboxState {
  private numbers = 0;
  readonly account = `dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQ${String(++accounts).padStart(3, '0')}`;
  readonly homeNamespace = String(3_000_000 + accounts);
  rootNamespace = this.homeNamespace;
  /** The user's own folder in a team space. */
  home: Item | null = null;
  readonly root: Item = this.make('', null, null);
  private readonly children = new Map<Item | null, Set<Item>>();
  private readonly byId = new Map<string, Item>();
  private readonly log: Logged[] = [];
  /** Cursors before this position have expired. */
  private forgotten = 0;

  /** Turns the user's own files into a folder of a team space. */
  becomeTeam(home = 'Anna Beispiel'): void {
    this.rootNamespace = String(9_000_000 + accounts);
    const own = [...this.in(this.root)];
    this.home = this.folder(home);
    for (const item of own) this.move(item, this.home);
  }

  /** Puts a file at a path; missing folders are created. An existing file is overwritten. */
  put(path: string, content: string | Buffer, more: Partial<Item> = {}): Item {
    const segments = path.split('/');
    const name = segments.pop()!;
    const parent = segments.reduce((at, each) => this.folderIn(at, each), this.root);
    const known = [...this.in(parent)].find((item) => item.name.toLowerCase() === name.toLowerCase());
    const item = known ?? this.add(this.make(name, parent, Buffer.from(content)));
    if (known) Object.assign(item, { content: Buffer.from(content), rev: this.rev(), serverModified: now() });
    Object.assign(item, more);
    this.log.push({ put: item });
    return item;
  }

  folder(path: string): Item {
    return path.split('/').reduce((at, each) => this.folderIn(at, each), this.root);
  }

  /** Moves or renames. A move changes the revision of every file below and lists all of them as changed. */
  move(item: Item, parent: Item, name = item.name): void {
    this.log.push({ deleted: this.pathOf(item).toLowerCase() });
    this.children.get(item.parent)!.delete(item);
    Object.assign(item, { parent, name });
    this.in(parent).add(item);
    for (const each of [item, ...this.below(item)]) {
      if (each.content) each.rev = this.rev();
      this.log.push({ put: each });
    }
  }

  remove(item: Item): void {
    this.log.push({ deleted: this.pathOf(item).toLowerCase() });
    this.children.get(item.parent)!.delete(item);
    for (const each of [item, ...this.below(item)]) this.byId.delete(each.id);
  }

  find(id: string): Item | undefined {
    return this.byId.get(id);
  }

  /** Finds an entry by its path below a folder; the path is case-insensitive. */
  at(path: string, from = this.root): Item | undefined {
    const segments = path.split('/').filter((segment) => segment !== '');
    return segments.reduce<Item | undefined>(
      (at, each) => at && [...this.in(at)].find(({ name }) => name.toLowerCase() === each.toLowerCase()),
      from,
    );
  }

  in(folder: Item | null): Set<Item> {
    const known = this.children.get(folder) ?? new Set();
    this.children.set(folder, known);
    return known;
  }

  below(folder: Item): Item[] {
    return [...this.in(folder)].flatMap((item) => [item, ...this.below(item)]);
  }

  pathOf({ name, parent }: Item): string {
    return parent ? `${this.pathOf(parent)}/${name}` : '';
  }

  get place(): number {
    return this.log.length;
  }

  /** The changes below a path since a position, oldest first; null when the position has expired. */
  since(place: number, path: string): Logged[] | null {
    if (place < this.forgotten) return null;
    const isBelow = (each: string) => `${each}/`.startsWith(`${path}/`);
    return this.log
      .slice(place)
      .filter((entry) =>
        'deleted' in entry
          ? isBelow(entry.deleted)
          : this.byId.get(entry.put.id) === entry.put && isBelow(this.pathOf(entry.put).toLowerCase()),
      );
  }

  /** Invalidates all cursors issued so far. */
  invalidateCursors(): void {
    this.log.push({ deleted: '/nowhere' });
    this.forgotten = this.log.length;
  }

  private folderIn(parent: Item, name: string): Item {
    const known = [...this.in(parent)].find((item) => item.name === name && item.content === null);
    if (known) return known;
    const made = this.add(this.make(name, parent, null));
    this.log.push({ put: made });
    return made;
  }

  private add(item: Item): Item {
    this.in(item.parent).add(item);
    this.byId.set(item.id, item);
    return item;
  }

  private make(name: string, parent: Item | null, content: Buffer | null): Item {
    const id = `id:fake_AAAAAAAAAA${String(this.number()).padStart(6, '0')}`;
    return { id, name, parent, content, clientModified: TIME, serverModified: TIME, rev: this.rev() };
  }

  private rev(): string {
    return `a1c10ce0${this.number().toString(16).padStart(4, '0')}`;
  }

  private number(): number {
    return ++this.numbers;
  }
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/** The hash that Dropbox's reference "Content hash" describes. */
export function contentHash(content: Buffer): string {
  const all = createHash('sha256');
  for (let at = 0; at < content.length; at += BLOCK) {
    all.update(
      createHash('sha256')
        .update(content.subarray(at, at + BLOCK))
        .digest(),
    );
  }
  return all.digest('hex');
}

/** The API's representation. */
export function metadata(state: DropboxState, item: Item, base: Item): Record<string, unknown> {
  const path = state.pathOf(item).slice(state.pathOf(base).length);
  const shared = sharedAbove(item);
  const common = { name: item.name, path_lower: path.toLowerCase(), path_display: path, id: item.id };
  if (item.content === null) {
    const sharing = {
      read_only: false,
      ...(item.sharedFolderId && { shared_folder_id: item.sharedFolderId }),
      ...(item.hasNoAccess && { no_access: true }),
    };
    return { '.tag': 'folder', ...common, ...((item.sharedFolderId || item.hasNoAccess) && { sharing_info: sharing }) };
  }
  return {
    '.tag': 'file',
    ...common,
    client_modified: item.clientModified,
    server_modified: item.serverModified,
    rev: item.rev,
    size: item.content.length,
    is_downloadable: item.exports === undefined,
    content_hash: contentHash(item.content),
    ...(item.exports && { export_info: item.exports }),
    ...(shared && { sharing_info: { read_only: false, parent_shared_folder_id: shared } }),
  };
}

function sharedAbove({ parent }: Item): string | undefined {
  return parent ? (parent.sharedFolderId ?? sharedAbove(parent)) : undefined;
}
