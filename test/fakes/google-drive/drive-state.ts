import { createHash } from 'node:crypto';

export const FOLDER = 'application/vnd.google-apps.folder';
export const DOCUMENT = 'application/vnd.google-apps.document';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';
export const ROOT = '0AEfakeRootUk9PVA';

/** One file, folder or shared drive's root, with its bytes. */
export interface Item {
  readonly id: string;
  name: string;
  mimeType: string;
  parent: string | null;
  readonly driveId?: string;
  createdTime: string;
  modifiedTime: string;
  trashed: boolean;
  content: Buffer | null;
  /** The time when another user shared this file, which is not in the user's own drive. */
  sharedWithMeTime?: string;
  /** The target of a shortcut. */
  target?: { readonly targetId: string; readonly targetMimeType: string };
}

interface Logged {
  readonly fileId: string;
  readonly driveId: string;
}

/** The files of an account's drive, and its change log. */
export class DriveState {
  readonly items = new Map<string, Item>();
  readonly drives = new Map<string, string>();
  private readonly log: Logged[] = [];
  /** Page tokens before this position have expired. */
  private forgotten = 0;
  private ids = 0;

  constructor() {
    this.add({ id: ROOT, name: 'My Drive', mimeType: FOLDER, parent: null, content: null });
  }

  /** Puts a file at a path below the user's own drive, or below a shared one; missing folders are created. */
  put(path: string, content: string | Buffer, more: Partial<Item> & { drive?: string } = {}): Item {
    const segments = path.split('/');
    const name = segments.pop()!;
    const parent = segments.reduce((at, folder) => this.folderIn(at, folder), more.drive ?? ROOT);
    const { drive, ...rest } = more;
    const before = [...this.items.values()].find(
      (item) => item.parent === parent && item.name === name && !item.trashed,
    );
    const mimeType = rest.mimeType ?? (name.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream');
    if (before) return this.change(before.id, { content: Buffer.from(content), modifiedTime: now(), ...rest });
    return this.add({ name, parent, driveId: drive, content: Buffer.from(content), ...rest, mimeType });
  }

  folder(path: string, drive?: string): Item {
    const id = path.split('/').reduce((at, folder) => this.folderIn(at, folder), drive ?? ROOT);
    return this.items.get(id)!;
  }

  /** Adds a shortcut with the name of its target. */
  shortcut(folder: string, target: Item): Item {
    const parent = folder === '' ? ROOT : this.folder(folder).id;
    const { id: targetId, mimeType: targetMimeType, name } = target;
    return this.add({ name, mimeType: SHORTCUT, parent, content: null, target: { targetId, targetMimeType } });
  }

  /** Adds a file or folder (without content) of another user's drive that is shared with this user. */
  shared(name: string, content: string | null): Item {
    const sharedWithMeTime = '2026-11-02T08:00:00.000Z';
    const mimeType = content === null ? FOLDER : 'application/pdf';
    return this.add({
      name,
      mimeType,
      parent: null,
      sharedWithMeTime,
      content: content === null ? null : Buffer.from(content),
    });
  }

  /** Adds a file to a folder of any drive. */
  putInto(parent: string, name: string, content: string): Item {
    const { driveId } = this.items.get(parent)!;
    return this.add({ name, parent, driveId, content: Buffer.from(content), mimeType: 'application/pdf' });
  }

  sharedDrive(name: string): string {
    const id = `0B${String(++this.ids).padStart(4, '0')}Uk9PVA`;
    this.drives.set(id, name);
    this.add({ id, name: 'Drive', mimeType: FOLDER, parent: null, driveId: id, content: null });
    return id;
  }

  change(id: string, changes: Partial<Item>): Item {
    const item = Object.assign(this.items.get(id)!, changes);
    this.log.push({ fileId: id, driveId: item.driveId ?? '' });
    return item;
  }

  /** The end of the list of changes. */
  get place(): number {
    return this.log.length;
  }

  /** The changes after a position, each file once; null when the position has expired. */
  since(place: number, driveId: string, limit: number): { ids: string[]; next: number; isLast: boolean } | null {
    if (place < this.forgotten || place > this.log.length) return null;
    const end = Math.min(place + limit, this.log.length);
    const part = this.log.slice(place, end).filter((entry) => entry.driveId === driveId);
    return { ids: [...new Set(part.map(({ fileId }) => fileId))], next: end, isLast: end === this.log.length };
  }

  /** Invalidates all page tokens issued so far. */
  invalidateCursors(): void {
    this.log.push({ fileId: ROOT, driveId: 'nowhere' });
    this.forgotten = this.log.length;
  }

  private folderIn(parent: string, name: string): string {
    const known = [...this.items.values()].find(
      (item) => item.parent === parent && item.name === name && item.mimeType === FOLDER,
    );
    const driveId = this.items.get(parent)!.driveId;
    return (known ?? this.add({ name, mimeType: FOLDER, parent, driveId, content: null })).id;
  }

  private add(given: Partial<Item> & Pick<Item, 'name' | 'mimeType' | 'parent' | 'content'>): Item {
    const id = given.id ?? `1fake_${String(++this.ids).padStart(6, '0')}`;
    const time = given.modifiedTime ?? '2026-11-01T09:30:00.000Z';
    const item: Item = { createdTime: time, modifiedTime: time, trashed: false, ...given, id };
    this.items.set(id, item);
    this.log.push({ fileId: id, driveId: item.driveId ?? '' });
    return item;
  }
}

const now = (): string => new Date().toISOString();

export const isNative = ({ mimeType }: Item): boolean => mimeType.startsWith('application/vnd.google-apps.');

/** The API's representation with all fields. */
export function fileResource(item: Item): Record<string, unknown> {
  const native = isNative(item);
  return {
    kind: 'drive#file',
    id: item.id,
    name: item.name,
    mimeType: item.mimeType,
    ...(item.parent !== null && { parents: [item.parent] }),
    ...(item.driveId !== undefined && { driveId: item.driveId }),
    ...(!native && {
      size: String(item.content!.length),
      md5Checksum: createHash('md5').update(item.content!).digest('hex'),
    }),
    createdTime: item.createdTime,
    modifiedTime: item.modifiedTime,
    trashed: item.trashed,
    ...(item.sharedWithMeTime !== undefined && { sharedWithMeTime: item.sharedWithMeTime }),
    ...(item.target !== undefined && { shortcutDetails: item.target }),
    webViewLink: `https://drive.google.com/file/d/${item.id}/view`,
    capabilities: { canDownload: true },
  };
}
