import { SelectionNotFound, UnexpectedResponse } from '../core/source-errors';
import { displayFilename } from '../shared/tree-sync/files/filename-encoding';
import {
  isBelow,
  type Tree,
  type TreeFile,
  type TreeFolder,
  type UnreadableEntry,
} from '../shared/tree-sync/files/tree';
import { classifyFile } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { entriesIn, listFolder, lookUp, START_FOLDER } from './listing/list-folder';
import type { FtpListing } from './listing/listing';

/** The identity of a listed folder, if the server has one, and the digest of its content. */
type FolderFingerprint = Pick<FtpListing, 'identity' | 'contentDigest'>;

/** A folder with the content of a parent is that parent when the path between them can be repeated this often. */
const CYCLE_PROOF_REPETITIONS = 3;

/**
 * The files of an FTP server. Links to files are files; links to folders are not followed, because they may form cycles, but can be
 * selected as folders. Some servers list such links as folders: a folder that is one of its own parents is not entered.
 */
export class FtpTree implements Tree {
  /** The folders on the path to the last listed one, by path. */
  private readonly above = new Map<string, FolderFingerprint>();

  constructor(
    private readonly pool: FtpPool,
    private readonly now: () => Date,
    private readonly since: Date | null,
  ) {}

  async *list(folder: string): AsyncGenerator<(TreeFile | TreeFolder | UnreadableEntry)[]> {
    const listing = await listFolder(this.pool, folder);
    if (await this.isCycle(folder, listing)) return;
    yield* entriesIn(this.pool, folder, listing, this.now(), this.since);
    if (!listing.isTruncated) return;
    const error = new UnexpectedResponse(
      `FTP folder ${displayFilename(folder)}: it contains more entries than the server lists.`,
    );
    yield [{ kind: 'unreadable', error }];
  }

  stat(file: TreeFile): Promise<TreeFile | null> {
    return this.pool.use(async (connection) => {
      try {
        const now = await lookUp(connection, file.path);
        // A server without exact listings states the time differently here.
        const isSame = now?.size === file.size && now.modifiedAt?.getTime() === file.modifiedAt?.getTime();
        return isSame ? file : now;
      } catch (error) {
        throw classifyFile(error, 'FTP');
      }
    });
  }

  private async isCycle(folder: string, { identity, contentDigest }: FtpListing): Promise<boolean> {
    for (const path of this.above.keys()) if (path === folder || !isBelow(folder, path)) this.above.delete(path);
    for (const [path, seen] of this.above) {
      if (identity !== undefined) {
        if (seen.identity === identity) return true;
      } else if (seen.contentDigest === contentDigest && (await this.repeats(folder, path, contentDigest))) return true;
    }
    this.above.set(folder, { identity, contentDigest });
    return false;
  }

  /** Whether repeating the path from a parent to this folder always leads to the same content, which proves a cycle. */
  private async repeats(folder: string, above: string, contentDigest: string): Promise<boolean> {
    const relative = above === START_FOLDER ? folder : folder.slice(above.length + 1);
    let at = folder;
    for (let turn = 0; turn < CYCLE_PROOF_REPETITIONS; turn++) {
      at = `${at}/${relative}`;
      if ((await this.contentDigestOf(at)) !== contentDigest) return false;
    }
    return true;
  }

  private async contentDigestOf(folder: string): Promise<string | undefined> {
    try {
      return (await listFolder(this.pool, folder)).contentDigest;
    } catch (error) {
      if (error instanceof SelectionNotFound) return undefined;
      throw error;
    }
  }
}
