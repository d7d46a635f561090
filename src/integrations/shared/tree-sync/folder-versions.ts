import { isBelow, type TreeFolder } from './files/tree';

/** Folders with their versions, by path. */
export type FolderVersionMap = { readonly [path: string]: string };

/** More folders than this are walked again instead of being remembered. */
const MAX_FOLDERS = 2_000;

/** The versions of the folders of which everything has been looked at, in this walk or, where nothing has changed, in the one before. */
export class FolderVersions {
  private readonly versions = new Map<string, string>();
  private areTooMany = false;

  constructor(private readonly before: FolderVersionMap) {}

  /** Remembers a folder, and what is below it where that has not changed. Answers whether it has to be walked. */
  needsListing({ path, version }: TreeFolder): boolean {
    if (version === undefined) return true;
    const isUnchanged = this.before[path] === version;
    if (isUnchanged) this.rememberBelow(path);
    this.remember(path, version);
    return !isUnchanged;
  }

  /** What this path lies in, or is, has something left to look at: it has to be walked the next time. */
  invalidate(path: string): void {
    this.versions.forEach((_, folder) => isBelow(path, folder) && this.versions.delete(folder));
  }

  /** None when there are too many. */
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
