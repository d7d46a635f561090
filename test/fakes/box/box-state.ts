import { createHash } from 'node:crypto';

const TIME = '2026-11-01T10:30:00+01:00';

export interface Item {
  readonly id: string;
  readonly type: 'file' | 'folder' | 'web_link';
  name: string;
  parent: Item | null;
  /** Files only. */
  content: Buffer;
  /** Increases with every change; Box calls it the etag. */
  version: number;
  modifiedAt: string;
  contentModifiedAt: string;
  isWatermarked: boolean;
  /** True for a folder of another user that this user was invited to. */
  isShared: boolean;
}

let users = 0;

/** Everything that one user sees in Box. */
export class BoxState {
  private ids = 1_000_000;
  readonly user = String(20_000_000 + ++users);
  readonly items = new Map<string, Item>();
  readonly root: Item = this.add('folder', 'All Files', null, { id: '0' });

  /** Puts a file at a path; missing folders are created. An existing file gets a new version. */
  put(path: string, content: string | Buffer, more: Partial<Item> = {}): Item {
    const segments = path.split('/');
    const name = segments.pop()!;
    const parent = segments.reduce((at, each) => this.folderIn(at, each), this.root);
    const known = this.in(parent).find((item) => item.name === name);
    if (!known) return this.add('file', name, parent, { content: Buffer.from(content), ...more });
    return this.change(known, { content: Buffer.from(content), modifiedAt: now(), ...more });
  }

  folder(path: string): Item {
    return path.split('/').reduce((at, each) => this.folderIn(at, each), this.root);
  }

  link(name: string): Item {
    return this.add('web_link', name, this.root, {});
  }

  /** Renames, moves or changes an entry; its id stays. */
  change(item: Item, changes: Partial<Item>): Item {
    return Object.assign(item, { ...changes, version: item.version + 1 });
  }

  /** Moves an entry into the trash, with everything below it. */
  remove(item: Item): void {
    for (const each of [item, ...this.below(item)]) this.items.delete(each.id);
  }

  in(folder: Item): Item[] {
    return [...this.items.values()].filter(({ parent }) => parent === folder);
  }

  private below(folder: Item): Item[] {
    return this.in(folder).flatMap((item) => [item, ...this.below(item)]);
  }

  private folderIn(parent: Item, name: string): Item {
    return this.in(parent).find((item) => item.name === name) ?? this.add('folder', name, parent, {});
  }

  private add(type: Item['type'], name: string, parent: Item | null, more: Partial<Item>): Item {
    const id = more.id ?? String(++this.ids);
    const dates = { modifiedAt: TIME, contentModifiedAt: TIME };
    const flags = { isWatermarked: false, isShared: false };
    const item: Item = { type, name, parent, content: Buffer.alloc(0), version: 0, ...dates, ...flags, ...more, id };
    this.items.set(id, item);
    return item;
  }
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, '-00:00');

const mini = ({ id, type, version, name }: Item) => {
  if (id === '0') return { type, id, etag: null, name };
  return { type, id, sequence_id: String(version), etag: String(version), name };
};

/** The API's representation: the fixed fields, and the requested ones. */
export function resource(item: Item, fields: readonly string[]): Record<string, unknown> {
  const above: Item[] = [];
  for (let at = item.parent; at; at = at.parent) above.unshift(at);
  const common = {
    path_collection: { total_count: above.length, entries: above.map(mini) },
    modified_at: item.modifiedAt,
    created_at: item.modifiedAt,
  };
  const file = {
    size: item.content.length,
    content_modified_at: item.contentModifiedAt,
    watermark_info: { is_watermarked: item.isWatermarked },
  };
  const sha1 = createHash('sha1').update(item.content).digest('hex');
  const always = { ...mini(item), ...(item.type === 'file' && { sha1 }) };
  const further = { ...common, ...(item.type === 'file' && file) };
  const asked = Object.entries(further).filter(([name]) => fields.includes(name));
  return { ...always, ...Object.fromEntries(asked) };
}
