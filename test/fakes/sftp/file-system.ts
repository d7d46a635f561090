/** A file or a link of the fake server. */
export interface Node {
  readonly kind: 'file' | 'link';
  content: Buffer;
  /** Seconds since 1970. */
  mtime: number;
  /** The target of a link. */
  readonly target?: string;
  /** Not readable. */
  isClosed?: boolean;
}

export interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly atime: number;
  readonly mtime: number;
}

const FOLDER = 0o040755;
const FILE = 0o100644;
const LINK = 0o120777;

/** Folders and files in memory; paths are absolute, segments separated by `/`. Folders exist through the files in them. */
export class FileSystem {
  private readonly folders = new Map<string, Map<string, Node | 'folder'>>([['/', new Map()]]);

  makeFolder(path: string): Map<string, Node | 'folder'> {
    const known = this.folders.get(path);
    if (known) return known;
    const [parent, name] = split(path);
    this.makeFolder(parent).set(name, 'folder');
    const made = new Map<string, Node | 'folder'>();
    this.folders.set(path, made);
    return made;
  }

  write(path: string, content: Buffer, modified: Date): Node {
    const [parent, name] = split(path);
    const node: Node = { kind: 'file', content, mtime: Math.floor(modified.getTime() / 1000) };
    this.makeFolder(parent).set(name, node);
    return node;
  }

  link(path: string, target: string): void {
    const [parent, name] = split(path);
    this.makeFolder(parent).set(name, { kind: 'link', content: Buffer.alloc(0), mtime: 0, target });
  }

  /** Keeps the time of the last change, like a rename. */
  rename(from: string, to: string): void {
    const node = this.node(from);
    if (!node) throw new Error(`There is no file ${from}.`);
    this.remove(from);
    const [parent, name] = split(to);
    this.makeFolder(parent).set(name, node);
  }

  remove(path: string): void {
    const [parent, name] = split(path);
    this.folders.get(parent)?.delete(name);
    this.folders.delete(path);
  }

  /** The file behind a path, through links. */
  node(path: string): Node | undefined {
    const [parent, name] = split(path);
    const node = this.folders.get(this.real(parent))?.get(name);
    if (node === undefined || node === 'folder') return undefined;
    return node.target === undefined ? node : this.node(node.target);
  }

  /** Attributes as from `stat`: follows links. */
  attributes(path: string): Attributes | undefined {
    if (this.folders.has(this.real(path))) return { ...BASE, mode: FOLDER, size: 4096, mtime: 0 };
    const node = this.node(path);
    return node && { ...BASE, mode: FILE, size: node.content.length, mtime: node.mtime };
  }

  /** The entries of `readdir`: unresolved links, with a line as in `ls -l`. Undefined when the folder does not exist. */
  entries(path: string): { filename: string; longname: string; attrs: Attributes }[] | undefined {
    const real = this.real(path);
    const folder = this.folders.get(real);
    if (!folder) return undefined;
    return [...folder].map(([filename, node]) => {
      if (node === 'folder') {
        const below = this.folders.get(real === '/' ? `/${filename}` : `${real}/${filename}`)!;
        const links = 2 + [...below.values()].filter((each) => each === 'folder').length;
        return {
          filename,
          longname: `drwxr-xr-x ${links} u g 4096 ${filename}`,
          attrs: { ...BASE, mode: FOLDER, size: 4096, mtime: 0 },
        };
      }
      const mode = node.kind === 'link' ? LINK : FILE;
      const attrs = { ...BASE, mode, size: node.content.length, mtime: node.mtime };
      return {
        filename,
        longname: `${node.kind === 'link' ? 'l' : '-'}rw-r--r-- 1 u g ${attrs.size} ${filename}`,
        attrs,
      };
    });
  }

  /** The folder's path with links resolved, as far as it exists. */
  private real(path: string): string {
    if (this.folders.has(path)) return path;
    const [parent, name] = split(path);
    const above = this.real(parent);
    const node = this.folders.get(above)?.get(name);
    if (node !== undefined && node !== 'folder' && node.target !== undefined) return this.real(node.target);
    return above === '/' ? `/${name}` : `${above}/${name}`;
  }
}

const BASE = { uid: 1000, gid: 1000, atime: 0 };

function split(path: string): [parent: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, slash) || '/', path.slice(slash + 1)];
}
