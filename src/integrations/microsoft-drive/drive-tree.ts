import { type DriveApi, type DriveItem, isUnreadable } from './drive-api';
import type { KnownFolders } from './known-folders';

/** The maximum depth, which protects against cycles of folders. */
const MAX_DEPTH = 200;

/** A selected folder, or one below it. */
export interface MicrosoftDriveRoot {
  readonly id: string;
  /** The path below the selected folder, empty for that one. */
  readonly path: string;
}

export interface MicrosoftDriveEntry {
  readonly file: DriveItem;
  readonly path: string;
}

type Folder = Pick<DriveItem, 'name' | 'parentReference'>;

/** Resolves paths within one drive: items have a parent, not a path. Each folder is requested once. */
export class DriveTree {
  private readonly folders = new Map<string, Promise<Folder | null>>();

  constructor(
    private readonly api: DriveApi,
    readonly driveId: string,
    private readonly roots: readonly MicrosoftDriveRoot[],
    private readonly known: KnownFolders,
  ) {}

  /** Yields the files below these folders, breadth-first. Folders that were deleted in the meantime or are not accessible are ignored. */
  async *below(places: readonly MicrosoftDriveRoot[]): AsyncGenerator<readonly MicrosoftDriveEntry[]> {
    const open = [...places];
    const seen = new Set(places.map(({ id }) => id));
    for (let place = open.shift(); place; place = open.shift()) {
      try {
        for await (const items of this.api.children({ driveId: this.driveId, id: place.id })) {
          const [files, folders] = split(items, place.path);
          yield files;
          for (const folder of folders.filter(({ file: { id } }) => !seen.has(id))) {
            seen.add(folder.file.id);
            this.remember(folder.file);
            open.push({ id: folder.file.id, path: folder.path });
          }
        }
        this.known.add(place.id);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }
  }

  /** Yields the files of a page of changes that are below the selected folders. `isWhole`: the list contains all items. */
  async *changed(items: readonly DriveItem[], isWhole: boolean): AsyncGenerator<readonly MicrosoftDriveEntry[]> {
    // A folder may follow its contents.
    for (const item of items) if (isFolder(item)) this.remember(item);
    for (const item of items) {
      if (item.deleted) this.known.delete(item.id);
      else if (isFile(item)) {
        const path = await this.pathOf(item);
        if (path !== null) yield [{ file: item, path }];
      } else if (isFolder(item)) yield* this.folderIn(item, isWhole);
    }
  }

  private async *folderIn(item: DriveItem, isWhole: boolean): AsyncGenerator<readonly MicrosoftDriveEntry[]> {
    const path = await this.pathOf(item);
    if (path === null) {
      // Its later changes are ignored, so that it is listed again if it is moved back.
      this.known.delete(item.id);
    } else if (isWhole) this.known.add(item.id);
    else if (!this.known.has(item.id)) yield* this.below([{ id: item.id, path }]);
  }

  /** The path of an item below a selected folder; null when it is in none. */
  private async pathOf(item: DriveItem): Promise<string | null> {
    if (this.roots.some((root) => root.id === item.id)) return '';
    let path = segment(item);
    for (let [parent, depth] = [item.parentReference?.id, 0]; parent !== undefined && depth < MAX_DEPTH; depth++) {
      if (this.roots.some((root) => root.id === parent)) return path;
      const folder = await this.folder(parent);
      if (!folder) return null;
      path = `${segment(folder)}/${path}`;
      parent = folder.parentReference?.id;
    }
    return null;
  }

  private remember(folder: DriveItem): void {
    this.folders.set(folder.id, Promise.resolve(folder));
  }

  private folder(id: string): Promise<Folder | null> {
    const known = this.folders.get(id) ?? this.lookUp(id);
    this.folders.set(id, known);
    return known;
  }

  private async lookUp(id: string): Promise<Folder | null> {
    try {
      return await this.api.folder({ driveId: this.driveId, id });
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }
}

/** Splits the entries of a folder into files and folders, each with its path. */
function split(items: readonly DriveItem[], above: string): [MicrosoftDriveEntry[], MicrosoftDriveEntry[]] {
  const all = items.map((file) => ({ file, path: above === '' ? segment(file) : `${above}/${segment(file)}` }));
  return [all.filter(({ file }) => isFile(file)), all.filter(({ file }) => isFolder(file))];
}

/** Excludes shortcuts, which lead to other drives and are selected separately, and OneNote packages, which contain no documents. */
const isFile = ({ file, deleted, remoteItem }: DriveItem): boolean => Boolean(file) && !deleted && !remoteItem;
const isFolder = ({ folder, root, package: box, deleted, remoteItem }: DriveItem): boolean =>
  Boolean(folder ?? root) && !box && !deleted && !remoteItem;

const segment = ({ name }: Pick<DriveItem, 'name'>): string => (name ?? '').replaceAll('/', '_');
