import { type DriveApi, type DriveFile, FOLDER, quoted, SHORTCUT } from './drive-api';
import { SHARED_WITH_ME } from './fields';

/** Folders per request. */
const FOLDERS_PER_REQUEST = 40;
/** The maximum depth, which protects against cycles of folders. */
const MAX_DEPTH = 200;

/** A selected folder, one below it, or the target of a shortcut. */
export interface GoogleDriveRoot {
  readonly id: string;
  readonly driveId: string | undefined;
  /** The path below the selected folder, empty for that one. */
  readonly path: string;
}

export interface GoogleDriveEntry {
  readonly file: DriveFile;
  readonly path: string;
}

type Folder = Pick<DriveFile, 'id' | 'name' | 'parents' | 'sharedWithMeTime'>;

/** Resolves paths: Drive folders have a parent, not a path. Each folder is requested once. */
export class DriveTree {
  private readonly folders = new Map<string, Promise<Folder | null>>();

  constructor(
    private readonly api: DriveApi,
    private readonly roots: GoogleDriveRoot[],
  ) {}

  /** The selected folders and those that were added. */
  get places(): readonly GoogleDriveRoot[] {
    return this.roots;
  }

  /** Adds a folder whose contents belong to the selection. */
  add(root: GoogleDriveRoot): void {
    this.roots.push(root);
  }

  /** Yields the files below these folders, level by level. Shortcuts are not followed. */
  async *below(places: readonly GoogleDriveRoot[]): AsyncGenerator<readonly GoogleDriveEntry[]> {
    const seen = new Set(places.map(({ id }) => id));
    for (let level = [...places]; level.length > 0;) {
      const next: GoogleDriveRoot[] = [];
      for (const batch of batches(level)) {
        const byId = new Map(batch.map((place) => [place.id, place]));
        const q = `(${batch.map(within).join(' or ')}) and trashed = false`;
        for await (const files of this.api.list(q, batch[0]!.driveId)) {
          const found: GoogleDriveEntry[] = [];
          for (const file of files) {
            const parent = byId.get(file.parents?.[0] ?? '') ?? byId.get(SHARED_WITH_ME);
            if (!parent || file.mimeType === SHORTCUT) continue;
            const path = joined(parent.path, segment(file));
            if (file.mimeType !== FOLDER) found.push({ file, path });
            else if (!seen.has(file.id)) {
              seen.add(file.id);
              this.folders.set(file.id, Promise.resolve(file));
              next.push({ id: file.id, driveId: parent.driveId, path });
            }
          }
          yield found;
        }
      }
      level = next;
    }
  }

  /** The path of a file or folder below a selected folder; null when it is in none. */
  async pathOf(file: Folder): Promise<string | null> {
    const self = this.root(file.id);
    if (self) return self.path;
    const isShared = (at: Folder): boolean => at.sharedWithMeTime !== undefined && Boolean(this.root(SHARED_WITH_ME));
    let path = segment(file);
    if (isShared(file)) return path;
    for (let [parent, depth] = [file.parents?.[0], 0]; parent !== undefined && depth < MAX_DEPTH; depth++) {
      const root = this.root(parent);
      if (root) return joined(root.path, path);
      const folder = await this.folder(parent);
      if (!folder) return null;
      path = `${segment(folder)}/${path}`;
      if (isShared(folder)) return path;
      parent = folder.parents?.[0];
    }
    return null;
  }

  private root(id: string): GoogleDriveRoot | undefined {
    return this.roots.find((root) => root.id === id);
  }

  private folder(id: string): Promise<Folder | null> {
    const known = this.folders.get(id) ?? this.api.fileOrNull(id);
    this.folders.set(id, known);
    return known;
  }
}

const within = ({ id }: GoogleDriveRoot): string =>
  id === SHARED_WITH_ME ? 'sharedWithMe = true' : `${quoted(id)} in parents`;

const joined = (path: string, below: string): string => (path === '' ? below : `${path}/${below}`);

/** Batches of folders of the same drive. */
function* batches(places: readonly GoogleDriveRoot[]): Generator<readonly GoogleDriveRoot[]> {
  const drives = new Map<string | undefined, GoogleDriveRoot[]>();
  for (const place of places) drives.set(place.driveId, [...(drives.get(place.driveId) ?? []), place]);
  for (const own of drives.values()) {
    for (let at = 0; at < own.length; at += FOLDERS_PER_REQUEST) yield own.slice(at, at + FOLDERS_PER_REQUEST);
  }
}

/** Names in Drive may contain the path separator. */
const segment = ({ name }: Pick<DriveFile, 'name'>): string => name.replaceAll('/', '_');
