import type { Resource } from './client/multistatus';

/** The properties of a resource without its address. */
export type ResourceProperties = Omit<Resource, 'href' | 'principal'>;

/** An entry of a folder. */
export interface Child {
  readonly name: string;
  readonly properties: ResourceProperties;
}

type StoredChild = [
  name: string,
  isFolder: boolean,
  size: number | null,
  modifiedAt: number | null,
  etag: string | null,
  fileId: string | null,
  folders: number | null,
];

/**
 * The listing of one folder. Servers send it completely and abort slow readers (nginx after one minute, Apache after five), so it
 * is kept while the files are downloaded: as JSON bytes, which take a third of the memory of the objects, deserialized in portions.
 */
export class FolderListing {
  private constructor(private readonly portions: Buffer[]) {}

  /** Throws what reading throws. */
  static async of(listed: AsyncIterable<readonly Child[]>): Promise<FolderListing> {
    const portions: Buffer[] = [];
    for await (const children of listed) portions.push(Buffer.from(JSON.stringify(children.map(serialize))));
    return new FolderListing(portions);
  }

  /** The memory of the listing in bytes. */
  get bytes(): number {
    return this.portions.reduce((sum, { length }) => sum + length, 0);
  }

  /** Yields the portions in order and releases each. */
  *take(): Generator<Child[]> {
    this.portions.reverse();
    for (let next = this.portions.pop(); next; next = this.portions.pop()) {
      yield (JSON.parse(next.toString()) as StoredChild[]).map(deserialize);
    }
  }
}

function serialize({ name, properties }: Child): StoredChild {
  const { isFolder, size, modifiedAt, etag, fileId, folders } = properties;
  return [name, isFolder, size ?? null, modifiedAt?.getTime() ?? null, etag ?? null, fileId ?? null, folders ?? null];
}

function deserialize([name, isFolder, size, modifiedAt, etag, fileId, folders]: StoredChild): Child {
  const properties: ResourceProperties = {
    isFolder,
    size: size ?? undefined,
    modifiedAt: modifiedAt === null ? undefined : new Date(modifiedAt),
    etag: etag ?? undefined,
    fileId: fileId ?? undefined,
    folders: folders ?? undefined,
  };
  return { name, properties };
}
