import { ConfigurationGone } from '../source-errors';
import { type DriveApi, type DriveFile, FOLDER, quoted } from './drive-api';

/** So many folders are listed by one request. */
const FOLDERS_A_REQUEST = 40;
/** Deeper than this nobody's folders are; a ring of folders would be. */
const DEEPEST = 200;

/** A chosen folder, or one below it. */
export interface Place {
  readonly id: string;
  readonly driveId: string | undefined;
  /** The way from the chosen folder, empty for that one. */
  readonly path: string;
}

export interface Found {
  readonly file: DriveFile;
  readonly path: string;
}

type Folder = Pick<DriveFile, 'name' | 'parents'>;

/** Folders in Drive know their parent, not their path: it is put together here, each folder asked for once. */
export class DriveTree {
  private readonly folders = new Map<string, Promise<Folder | null>>();

  constructor(
    private readonly api: DriveApi,
    private readonly roots: readonly Place[],
  ) {}

  /** Every file below these folders, in the order in which the folders are come by. */
  async *below(places: readonly Place[]): AsyncGenerator<readonly Found[]> {
    const seen = new Set(places.map(({ id }) => id));
    for (let level = [...places]; level.length > 0;) {
      const next: Place[] = [];
      for (const batch of batches(level)) {
        const byId = new Map(batch.map((place) => [place.id, place]));
        const q = `(${batch.map(({ id }) => `${quoted(id)} in parents`).join(' or ')}) and trashed = false`;
        for await (const files of this.api.list(q, batch[0]!.driveId)) {
          const found: Found[] = [];
          for (const file of files) {
            const parent = byId.get(file.parents?.[0] ?? '');
            if (!parent) continue;
            const path = parent.path === '' ? segment(file) : `${parent.path}/${segment(file)}`;
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

  /** The way from a chosen folder to a file or folder; null when it lies below none. */
  async pathOf(file: Pick<DriveFile, 'id' | 'name' | 'parents'>): Promise<string | null> {
    if (this.roots.some((root) => root.id === file.id)) return '';
    let path = segment(file);
    for (let [parent, depth] = [file.parents?.[0], 0]; parent !== undefined && depth < DEEPEST; depth++) {
      if (this.roots.some((root) => root.id === parent)) return path;
      const folder = await this.folder(parent);
      if (!folder) return null;
      path = `${segment(folder)}/${path}`;
      parent = folder.parents?.[0];
    }
    return null;
  }

  private folder(id: string): Promise<Folder | null> {
    const known = this.folders.get(id) ?? this.lookUp(id);
    this.folders.set(id, known);
    return known;
  }

  private async lookUp(id: string): Promise<Folder | null> {
    try {
      return await this.api.file(id);
    } catch (error) {
      if (error instanceof ConfigurationGone) return null; // not the user's to see
      throw error;
    }
  }
}

/** Of one drive each. */
function* batches(places: readonly Place[]): Generator<readonly Place[]> {
  const drives = new Map<string | undefined, Place[]>();
  for (const place of places) drives.set(place.driveId, [...(drives.get(place.driveId) ?? []), place]);
  for (const own of drives.values()) {
    for (let at = 0; at < own.length; at += FOLDERS_A_REQUEST) yield own.slice(at, at + FOLDERS_A_REQUEST);
  }
}

/** In Drive a name may hold what divides paths elsewhere. */
const segment = ({ name }: Pick<DriveFile, 'name'>): string => name.replaceAll('/', '_');
