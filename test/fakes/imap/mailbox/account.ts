import { Folder } from './folder';

/** An initial folder; missing parents are created. The path is decoded and uses the server's delimiter. */
export interface FolderSpec {
  readonly path: string;
  /** Such as `\Sent` (RFC 6154). */
  readonly specialUse?: string;
  /** False: a name that only contains other folders (`\Noselect`). */
  readonly selectable?: boolean;
  /** Default true. */
  readonly subscribed?: boolean;
}

/** One user's tree of folders. INBOX always exists; its name is case-insensitive (RFC 3501 5.1). */
export class Account {
  readonly folders = new Map<string, Folder>();
  private nextUidValidity: number;

  constructor(
    readonly user: string,
    public password: string,
    readonly delimiter: string,
    specs: readonly FolderSpec[],
    uidValidity: number,
  ) {
    this.nextUidValidity = uidValidity;
    this.add(specs.find(({ path }) => this.canonical(path) === 'INBOX') ?? { path: 'INBOX' });
    for (const spec of specs) {
      const names = this.canonical(spec.path).split(delimiter);
      for (let depth = 1; depth < names.length; depth++) {
        const parent = names.slice(0, depth).join(delimiter);
        const own = specs.find(({ path }) => this.canonical(path) === parent);
        if (!this.folders.has(parent)) this.add(own ?? { path: parent, selectable: false });
      }
      this.add(spec);
    }
  }

  /** The folder at the decoded path, or undefined. */
  folder(path: string): Folder | undefined {
    return this.folders.get(this.canonical(path));
  }

  /** True when it has subfolders, or subscribed ones. */
  hasChildren({ path }: Folder, subscribed = false): boolean {
    return [...this.folders.values()].some(
      (folder) => folder.path.startsWith(path + this.delimiter) && (folder.subscribed || !subscribed),
    );
  }

  /** Removes the folder at the decoded path; its subfolders stay. */
  remove(path: string): void {
    this.folders.delete(this.canonical(path));
  }

  add({ path: given, selectable = true, specialUse, subscribed = true }: FolderSpec): void {
    const path = this.canonical(given);
    if (this.folders.has(path)) return;
    this.folders.set(path, new Folder(path, selectable, specialUse, subscribed, this.nextUidValidity));
    this.nextUidValidity += 1000;
  }

  private canonical(path: string): string {
    const [first = '', ...rest] = path.split(this.delimiter);
    return [first.toUpperCase() === 'INBOX' ? 'INBOX' : first, ...rest].join(this.delimiter);
  }
}
