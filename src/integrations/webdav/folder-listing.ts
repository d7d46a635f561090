import type { Resource } from './multistatus';

/** What is told of a resource, without where it was told. */
export type ResourceProperties = Omit<Resource, 'href' | 'principal'>;

/** What is directly in a folder. */
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
 * What a server has told of one folder. It tells all of it in one go, and gives up on whoever takes long to read it (nginx after a
 * minute, Apache after five). So it is kept while the files are fetched: as bytes of JSON, a third of what the objects take, of
 * which children are made a portion at a time.
 */
export class FolderListing {
  private constructor(private readonly portions: Buffer[]) {}

  /** Throws what reading throws. */
  static async of(told: AsyncIterable<readonly Child[]>): Promise<FolderListing> {
    const portions: Buffer[] = [];
    for await (const children of told) portions.push(Buffer.from(JSON.stringify(children.map(serialize))));
    return new FolderListing(portions);
  }

  /** What it takes to keep it. */
  get bytes(): number {
    return this.portions.reduce((sum, { length }) => sum + length, 0);
  }

  /** Portions as they came. Each is given out once, and let go. */
  *take(): Generator<Child[]> {
    this.portions.reverse();
    for (let next = this.portions.pop(); next; next = this.portions.pop()) {
      yield (JSON.parse(next.toString()) as StoredChild[]).map(deserialize);
    }
  }
}

function serialize({ name, properties: facts }: Child): StoredChild {
  const { isFolder, size, modifiedAt, etag, fileId, folders } = facts;
  return [name, isFolder, size ?? null, modifiedAt?.getTime() ?? null, etag ?? null, fileId ?? null, folders ?? null];
}

function deserialize([name, isFolder, size, modifiedAt, etag, fileId, folders]: StoredChild): Child {
  const facts: ResourceProperties = {
    isFolder,
    size: size ?? undefined,
    modifiedAt: modifiedAt === null ? undefined : new Date(modifiedAt),
    etag: etag ?? undefined,
    fileId: fileId ?? undefined,
    folders: folders ?? undefined,
  };
  return { name, properties: facts };
}
