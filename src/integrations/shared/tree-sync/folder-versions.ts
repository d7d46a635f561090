import { isBelow, type TreeFolder } from './files/tree';

/** Folders with their versions, by path. */
export type FolderVersionMap = { readonly [path: string]: string };

/** With more folders, no versions are stored and all folders are listed again. */
const MAX_FOLDERS = 2_000;

/** The versions of the folders that are completely processed, in this synchronization or, when unchanged, in the previous one. */
export class FolderVersions {
  private readonly versions = new Map<string, string>();
  private areTooMany = false;

  constructor(private readonly before: FolderVersionMap) {}

  /** Records a folder, and those below it when it is unchanged. Returns whether it has to be listed. */
  needsListing({ path, version }: TreeFolder): boolean {
    if (version === undefined) return true;
    const isUnchanged = this.before[path] === version;
    if (isUnchanged) this.rememberBelow(path);
    this.remember(path, version);
    return !isUnchanged;
  }

  /** Removes the folder of this path and its parents, so that they are listed the next time. */
  invalidate(path: string): void {
    this.versions.forEach((_, folder) => isBelow(path, folder) && this.versions.delete(folder));
  }

  /** All recorded versions; empty when there are too many. */
  all(): FolderVersionMap {
    return Object.fromEntries(this.versions);
  }

  private rememberBelow(folder: string): void {
    for (const [path, version] of Object.entries(this.before)) if (isBelow(path, folder)) this.remember(path, version);
  }

  private remember(path: string, version: string): void {
    this.areTooMany ||= this.versions.size === MAX_FOLDERS && !this.versions.has(path);
    if (this.areTooMany) this.versions.clear();
    else this.versions.set(path, version);
  }
}
